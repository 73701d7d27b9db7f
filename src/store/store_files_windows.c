/* SPDX-License-Identifier: MIT */
/*
 * store_files.c on Windows. A folder is a C descriptor that holds its handle; while it is open,
 * nobody can rename or replace the folder. Who may write there is what the folder's own access list
 * says: callers name a folder below the user's profile, which others can't write.
 */
#include "store/store_files.h"

#ifdef _WIN32
#include "store/lock.h"

#include <errno.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utime.h>
#include <windows.h>

/* Names that the library has for arrays: clprims.c holds all of its files. */
#undef IN
#undef OUT

enum { PATH_CHARS = 4096 };

/* The path of the file in the folder; "" where it is too long. */
static const char *path_of(int folder, const char *name, char path[PATH_CHARS]) {
    DWORD at = 0;
    if (folder != CLP_NO_FOLDER)
        at = GetFinalPathNameByHandleA((HANDLE)_get_osfhandle(folder), path, PATH_CHARS, 0);
    const size_t left = at < PATH_CHARS ? PATH_CHARS - at : 0;
    const int more = snprintf(path + at, left, "%s%s", at > 0 ? "\\" : "", name);
    return more >= 0 && (size_t)more < left ? path : "";
}

/* ---- Locks ---- */

void clp_lock_take(clp_lock *lock) {
    AcquireSRWLockExclusive((PSRWLOCK)lock);
}

void clp_lock_give(clp_lock *lock) {
    ReleaseSRWLockExclusive((PSRWLOCK)lock);
}

/* ---- Folders ---- */

int clp_folder_open(const char *path) {
    BY_HANDLE_FILE_INFORMATION facts = {0};
    (void)CreateDirectoryA(path, NULL);
    const HANDLE folder =
        CreateFileA(path, FILE_LIST_DIRECTORY, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                    OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, NULL);
    if (folder == INVALID_HANDLE_VALUE) return CLP_NO_FOLDER;
    (void)GetFileInformationByHandle(folder, &facts);
    const DWORD kind = FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_REPARSE_POINT;
    if ((facts.dwFileAttributes & kind) == FILE_ATTRIBUTE_DIRECTORY) {
        return _open_osfhandle((intptr_t)folder, 0);
    }
    CloseHandle(folder);
    return CLP_NO_FOLDER;
}

void clp_folder_close(int folder) {
    if (folder >= 0) _close(folder);
}

/* As in store_files.c. */
static uint64_t survey(int folder, char name[MAX_PATH]) {
    char path[PATH_CHARS];
    WIN32_FIND_DATAA file;
    FILETIME oldest = {0};
    uint64_t bytes = 0;
    name[0] = '\0';
    const HANDLE files = FindFirstFileA(path_of(folder, "*", path), &file);
    for (BOOL more = files != INVALID_HANDLE_VALUE; more; more = FindNextFileA(files, &file)) {
        if (!clp_is_of_store(file.cFileName)) continue;
        if ((file.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0) continue;
        bytes += (uint64_t)file.nFileSizeHigh << 32 | file.nFileSizeLow;
        if (name[0] != '\0' && CompareFileTime(&file.ftLastWriteTime, &oldest) >= 0) continue;
        oldest = file.ftLastWriteTime;
        snprintf(name, MAX_PATH, "%s", file.cFileName);
    }
    if (files != INVALID_HANDLE_VALUE) FindClose(files);
    return bytes;
}

void clp_folder_trim(int folder, uint64_t most) {
    char name[MAX_PATH], path[PATH_CHARS];
    while (survey(folder, name) > most && DeleteFileA(path_of(folder, name, path))) continue;
}

/* ---- Files ---- */

void *clp_file_read(int folder, const char *name, size_t *bytes) {
    char path[PATH_CHARS];
    struct stat facts;
    FILE *file = fopen(path_of(folder, name, path), "rb");
    if (file == NULL) return NULL;
    const bool is_file = fstat(_fileno(file), &facts) == 0 && S_ISREG(facts.st_mode);
    *bytes = is_file ? (size_t)_filelengthi64(_fileno(file)) : 0;
    char *all = is_file ? malloc(*bytes + 1) : NULL;
    if (all != NULL && fread(all, 1, *bytes, file) != *bytes) {
        free(all);
        all = NULL;
    }
    fclose(file);
    if (folder != CLP_NO_FOLDER) (void)_utime(path, NULL);
    return all;
}

bool clp_file_write(int folder, const char *name, const void *bytes, size_t count) {
    char path[PATH_CHARS], temporary[PATH_CHARS + 64];
    LARGE_INTEGER now;
    const char *target = path_of(folder, name, path);
    QueryPerformanceCounter(&now);
    snprintf(temporary, sizeof temporary, "%s.%lx-%llx", target, GetCurrentProcessId(),
             (unsigned long long)now.QuadPart);
    FILE *file = fopen(temporary, "wb");
    if (file == NULL) return false;
    const bool written = fwrite(bytes, 1, count, file) == count;
    const bool closed = fclose(file) == 0;
    int why = errno;
    if (written && closed) {
        if (MoveFileExA(temporary, target, MOVEFILE_REPLACE_EXISTING)) return true;
        why = EACCES;
    }
    (void)DeleteFileA(temporary);
    errno = why;
    return false;
}

#endif
