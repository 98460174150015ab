#define _POSIX_C_SOURCE 200809L

#include "run_options.h"

#include "usage.h"

#include <unistd.h>

static bool read_wish(const struct options *o, enum progress_wish *wish) {
    bool on = options_given(o, "--progress"), off = options_given(o, "--no-progress");
    *wish = on ? PROGRESS_ON : off ? PROGRESS_OFF : PROGRESS_AUTO;
    if (on && off)
        usage_error("--progress and --no-progress exclude each other");
    return !on || !off;
}

bool run_options_read(const struct options *o, struct run_options *out) {
    int64_t first, threads = sysconf(_SC_NPROCESSORS_ONLN);
    if (!options_integer(o, "--seed", 0, INT64_MAX - 1000000, &first) ||
        (options_given(o, "--threads") && !options_integer(o, "--threads", 1, 4096, &threads)))
        return false;
    out->first_seed = (uint64_t)first;
    out->threads = threads < 1 ? 1 : (int)threads;
    return read_wish(o, &out->wish);
}
