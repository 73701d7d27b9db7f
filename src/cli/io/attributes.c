/* SPDX-License-Identifier: MIT */
/* Owner, group and mode; on Linux also the extended attributes that say who may do what, and the
 * users' own. */
#include "cli/io/attributes.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/xattr.h>

enum { LARGEST = 65536 }; /* of a value, and of all names: Linux's limits */

/* What the kernel computes from the bytes (security.ima) is none of these. */
static bool is_kept(const char *name) {
    return strncmp(name, "user.", 5) == 0 || strncmp(name, "system.", 7) == 0 ||
           strcmp(name, "security.selinux") == 0;
}

/* Calls `visit` with each name of an attribute of `of`; false when one call fails. */
static bool for_each(int of, bool (*visit)(const char *name, int from, int to), int from, int to) {
    char names[LARGEST];
    const ssize_t bytes = flistxattr(of, names, sizeof names);
    if (bytes < 0) return errno == ENOTSUP;
    for (const char *name = names; name < names + bytes; name += strlen(name) + 1)
        if (is_kept(name) && !visit(name, from, to)) return false;
    return true;
}

/* A folder's default access list gave the new file one. */
static bool remove_unless_there(const char *name, int from, int to) {
    return fgetxattr(from, name, NULL, 0) >= 0 || errno != ENODATA || fremovexattr(to, name) == 0;
}

static bool copy(const char *name, int from, int to) {
    static char value[LARGEST], there[LARGEST];
    const ssize_t bytes = fgetxattr(from, name, value, sizeof value);
    if (bytes < 0) return errno == ENODATA;
    if (fgetxattr(to, name, there, sizeof there) == bytes &&
        memcmp(there, value, (size_t)bytes) == 0)
        return true;
    return fsetxattr(to, name, value, (size_t)bytes, 0) == 0;
}

static bool remove_extended(int from, int to) {
    return for_each(to, remove_unless_there, from, to);
}

static bool copy_extended(int from, int to) {
    return for_each(from, copy, from, to);
}
#else
static bool remove_extended(int from, int to) {
    (void)from;
    (void)to;
    return true;
}

static bool copy_extended(int from, int to) {
    (void)from;
    (void)to;
    return true;
}
#endif

const char *attributes_keep(int from, int to) {
    enum { ALL_MODES = 07777 };
    struct stat old, new;
    if (fstat(from, &old) != 0 || fstat(to, &new) != 0) return "owner and mode";
    if (!remove_extended(from, to)) return "access list";
    if (old.st_uid != new.st_uid && fchown(to, old.st_uid, (gid_t)-1) != 0) return "owner";
    if (old.st_gid != new.st_gid && fchown(to, (uid_t)-1, old.st_gid) != 0) return "group";
    if (fchmod(to, old.st_mode & ALL_MODES) != 0) return "mode";
    return copy_extended(from, to) ? NULL : "access list or attributes";
}
