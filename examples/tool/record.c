#define _POSIX_C_SOURCE 200809L

#include "record.h"

#include "fingerprint.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A blank, the fingerprint in 16 digits, a newline. */
#define ENDING 18

/* The results of one run. */
struct part {
    double *values;
    size_t count;
};

enum { PARTS = 3 };

static void parts_of(const struct sweep *s, struct cell at, int seed, struct part out[PARTS]) {
    size_t place = sweep_place(s, at, seed), tokens = (size_t)s->setting.tokens;
    out[0] = (struct part){(double *)(void *)&s->runs[place], MEASUREMENTS};
    out[1] = (struct part){s->states + place * tokens, tokens};
    out[2] = (struct part){s->shares + place * tokens, tokens};
}

static void write_part(struct part part, void *user) {
    for (size_t i = 0; i < part.count; i++)
        fprintf(user, " %a", part.values[i]);
}

/* *user is where the text goes on; NULL once it was no number. */
static void read_part(struct part part, void *user) {
    char **rest = user;
    for (size_t i = 0; *rest && i < part.count; i++) {
        char *text = *rest;
        part.values[i] = strtod(text, rest);
        if (*rest == text)
            *rest = NULL;
    }
}

static void walk(const struct sweep *s, struct job job, void (*visit)(struct part, void *),
                 void *user) {
    const struct grid *g = s->setting.grid;
    struct part parts[PARTS];
    for (int p = 0; p < g->placements; p++)
        for (int l = 0; l < g->depths; l++) {
            parts_of(s, (struct cell){p, job.ratio, job.width, l}, job.seed, parts);
            for (int i = 0; i < PARTS; i++)
                visit(parts[i], user);
        }
}

char *record_write(const struct sweep *s, struct job job, size_t *size) {
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (!out)
        return NULL;
    fprintf(out, "%d %d %d", job.seed, job.ratio, job.width);
    walk(s, job, write_part, out);
    bool good = fflush(out) == 0;
    if (good)
        fprintf(out, " %016" PRIx64 "\n", fingerprint(text, *size));
    good = !ferror(out) && good;
    if (fclose(out) == 0 && good)
        return text;
    free(text);
    return NULL;
}

static bool is_whole(const char *line, size_t size) {
    char ending[ENDING + 1];
    if (size < ENDING)
        return false;
    snprintf(ending, sizeof ending, " %016" PRIx64 "\n", fingerprint(line, size - ENDING));
    return memcmp(line + size - ENDING, ending, ENDING) == 0;
}

static bool read_job(const struct sweep *s, char *line, struct job *job, char **rest) {
    int length = 0;
    if (sscanf(line, "%d %d %d%n", &job->seed, &job->ratio, &job->width, &length) != 3)
        return false;
    *rest = line + length;
    return job->seed >= 0 && job->ratio >= 0 && job->ratio < s->setting.grid->ratios &&
           job->width >= 0 && job->width < s->setting.grid->widths;
}

bool record_read(struct sweep *s, char *line, size_t size) {
    struct job job;
    char *rest;
    if (!is_whole(line, size) || !read_job(s, line, &job, &rest))
        return false;
    if (job.seed >= s->seeds)
        return true;
    walk(s, job, read_part, &rest);
    if (rest != line + size - ENDING)
        return false;
    sweep_know(s, job);
    return true;
}
