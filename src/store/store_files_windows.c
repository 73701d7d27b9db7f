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
#include <windows.h>

/* Names that the library has for arrays: clprims.c holds all of its files. */
#undef IN
#undef OUT

enum { PATH_CHARS = 4096, SHARED = FILE_SHARE_READ | FILE_SHARE_WRITE };

/* The path of the file in the folder. */
static const char *path_of(int folder, const char *name, char path[PATH_CHARS]) {
    DWORD length = 0;
    if (folder != CLP_NO_FOLDER) {
        const HANDLE handle = (HANDLE)_get_osfhandle(folder);
        length = GetFinalPathNameByHandleA(handle, path, PATH_CHARS - 1, 0);
        if (length < PATH_CHARS - 1) path[length++] = '\\';
    }
    const size_t left = length < PATH_CHARS ? PATH_CHARS - length : 0;
    /* What is too long names nothing. */
    if (strlen(name) >= left) return "";
    memcpy(path + length, name, strlen(name) + 1);
    return path;
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
        CreateFileA(path, FILE_LIST_DIRECTORY, SHARED, NULL, OPEN_EXISTING,
                    FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, NULL);
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
    const bool trusted = folder == CLP_NO_FOLDER;
    char path[PATH_CHARS];
    LARGE_INTEGER size;
    FILETIME now;
    DWORD got;
    void *all = NULL;
    const HANDLE file = CreateFileA(path_of(folder, name, path),
                                    GENERIC_READ | (trusted ? 0 : FILE_WRITE_ATTRIBUTES),
                                    SHARED | FILE_SHARE_DELETE, NULL, OPEN_EXISTING, 0, NULL);
    if (file == INVALID_HANDLE_VALUE) return NULL;
    if (GetFileType(file) == FILE_TYPE_DISK && GetFileSizeEx(file, &size) && size.HighPart == 0) {
        *bytes = size.LowPart;
        all = malloc(*bytes + 1);
    }
    if (all != NULL && !(ReadFile(file, all, size.LowPart, &got, NULL) && got == size.LowPart)) {
        free(all);
        all = NULL;
    }
    GetSystemTimeAsFileTime(&now);
    if (!trusted) (void)SetFileTime(file, NULL, NULL, &now);
    CloseHandle(file);
    return all;
}

bool clp_file_write(int folder, const char *name, const void *bytes, size_t count) {
    char path[PATH_CHARS], temporary[PATH_CHARS + 64];
    LARGE_INTEGER now;
    QueryPerformanceCounter(&now);
    snprintf(temporary, sizeof temporary, "%s.%lx-%llx", path_of(folder, name, path),
             GetCurrentProcessId(), (unsigned long long)now.QuadPart);
    FILE *file = fopen(temporary, "wb");
    if (file == NULL) return false;
    const bool written = fwrite(bytes, 1, count, file) == count;
    const bool closed = fclose(file) == 0;
    if (written && closed) {
        if (MoveFileExA(temporary, path, MOVEFILE_REPLACE_EXISTING)) return true;
        errno = EACCES;
    }
    const int why = errno;
    (void)DeleteFileA(temporary);
    errno = why;
    return false;
}

#endif
