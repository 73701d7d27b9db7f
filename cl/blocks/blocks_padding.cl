/* SPDX-License-Identifier: MIT */
/* What lookback.cl takes from cl/tile in the library's own programs. */
typedef uchar clp_io; /* blocks have no fallback, which would read an input */

/* A value that the operator is never called on. */
static inline CLP_A clp_padding(void) {
    clp_split nothing;
    for (uint w = 0; w < CLP_A_WORDS; w++) nothing.words[w] = 0;
    return nothing.value;
}
