/* How a verb that measures runs: the options that all of them have, read in one place. */
#ifndef TOOL_RUN_OPTIONS_H
#define TOOL_RUN_OPTIONS_H

#include "options.h"
#include "progress.h"

/* Their rows, behind a verb's own --seed. */
#define RUN_OPTIONS                                                                                \
    {"--threads", "N", NULL, "workers; the processors that are online, if not given", false},      \
        {"--progress", NULL, NULL, "time left on stderr, also if that is no terminal", false}, {   \
        "--no-progress", NULL, NULL, "no time left", false                                         \
    }

struct run_options {
    int threads;
    uint64_t first_seed;
    enum progress_wish wish;
};

/* False after one line on stderr. */
bool run_options_read(const struct options *o, struct run_options *out);

#endif
