/* SPDX-License-Identifier: MIT */
#include "harness/crash.h"

#if defined(__SANITIZE_ADDRESS__) || defined(_WIN32)

/* AddressSanitizer reports the fault itself; Windows has no such signals. */
void crash_tell_assertions(const char *note) {
    (void)note;
}

#else

#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LINES = 1 << 16 };

static const char *noted;

static void tell(const char *text) {
    size_t length = strlen(text);
    while (length > 0) {
        const ssize_t written = write(STDERR_FILENO, text, length);
        if (written <= 0) return;
        text += written;
        length -= (size_t)written;
    }
}

/* A number's digits, by nothing but what a signal handler may call. */
static void tell_number(uintptr_t number) {
    char digits[24];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    tell(digits + at);
}

static void on_fault(int number, siginfo_t *info, void *context) {
    const uintptr_t address = (uintptr_t)info->si_addr;
    (void)context;
    if (address == 0 || address >= MOST_LINES) {
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    tell("FAILED: a kernel's CLP_ASSERT in line ");
    tell_number(address);
    tell("\n  at: ");
    tell(noted);
    tell("\n");
    _exit(1);
}

void crash_tell_assertions(const char *note) {
    struct sigaction action;
    noted = note;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
}

#endif
