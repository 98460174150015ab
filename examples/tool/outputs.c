#define _POSIX_C_SOURCE 200809L

#include "outputs.h"

#include "usage.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static bool is_stdout(const char *path) {
    return path && strcmp(path, "-") == 0;
}

/* By device and inode where both exist. */
static bool same_file(const char *a, const char *b) {
    struct stat at_a, at_b;
    if (strcmp(a, b) == 0)
        return true;
    return stat(a, &at_a) == 0 && stat(b, &at_b) == 0 && at_a.st_dev == at_b.st_dev &&
           at_a.st_ino == at_b.st_ino;
}

/* The options that name a file. Where - is standard output it is none. */
static const struct named {
    const char *option;
    bool or_stdout;
} named[] = {{"--text", false}, {"--resume", false}, {"--csv", true}, {"--json", true}};

#define NAMED (sizeof named / sizeof named[0])

/* NULL if the option names none. */
static const char *file_of(const struct options *o, const struct named *n) {
    const char *path = options_text(o, n->option);
    return n->or_stdout && is_stdout(path) ? NULL : path;
}

static bool apart(const struct options *o, const struct named *one, const struct named *other) {
    const char *a = file_of(o, one), *b = file_of(o, other);
    if (!a || !b || !same_file(a, b))
        return true;
    usage_error("%s %s and %s %s are the same file", one->option, a, other->option, b);
    return false;
}

bool outputs_apart(const struct options *o) {
    for (size_t i = 0; i < NAMED; i++)
        for (size_t j = 0; j < i; j++)
            if (!apart(o, &named[j], &named[i]))
                return false;
    return true;
}

static bool open_output(const struct options *o, const char *option, FILE **out) {
    const char *path = options_text(o, option);
    *out = !path ? NULL : is_stdout(path) ? stdout : fopen(path, "w");
    if (path && !*out)
        usage_error("%s %s: %s", option, path, strerror(errno));
    return !path || *out;
}

/* Two paths of a file that is not there yet are found out when the first has made it. */
bool outputs_open(struct outputs *out, const struct options *o) {
    if (is_stdout(options_text(o, "--csv")) && is_stdout(options_text(o, "--json"))) {
        usage_error("--csv - and --json - cannot both have standard output");
        return false;
    }
    return outputs_apart(o) && open_output(o, "--csv", &out->csv) && outputs_apart(o) &&
           open_output(o, "--json", &out->json);
}

static bool close_output(FILE *file, const char *option) {
    bool good = !file || (fflush(file) == 0 && !ferror(file));
    if (file && file != stdout)
        good = fclose(file) == 0 && good;
    if (!good)
        usage_error("%s: not everything could be written", option);
    return good;
}

bool outputs_close(struct outputs *out) {
    bool csv = close_output(out->csv, "--csv"), json = close_output(out->json, "--json");
    return csv && json;
}
