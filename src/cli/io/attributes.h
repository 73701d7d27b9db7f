/* SPDX-License-Identifier: MIT */
/* What a file has besides its bytes. */
#ifndef CLI_ATTRIBUTES_H
#define CLI_ATTRIBUTES_H

/*
 * Gives the file `to` the owner, group, mode, access list, security label and users' attributes of
 * the file `from`; the two are open. NULL, or what can't be kept, and errno says why.
 */
const char *attributes_keep(int from, int to);

#endif
