/* Exit statuses of the program, and the one line that goes with status 2. */
#ifndef TOOL_USAGE_H
#define TOOL_USAGE_H

#define STATUS_GOOD 0
#define STATUS_VIOLATED 1 /* a proved inequality did not hold           */
#define STATUS_USAGE 2    /* wrong usage, unreadable or unwritable file */
#define STATUS_INTERRUPTED 130

#define MESSAGE_SIZE 320

#if defined(__GNUC__)
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#else
#define PRINTF_LIKE(text, first)
#endif

/* What separates words, as in lnstab_config_set. */
#define BLANKS " \t\r\n\f\v"

/* Prints "lnstab: ..." on stderr, on one line whatever the arguments hold, and returns STATUS_USAGE.
 * Only the first call prints: what comes after an error is mostly its consequence. */
int usage_error(const char *format, ...) PRINTF_LIKE(1, 2);

#endif
