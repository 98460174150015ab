#define _POSIX_C_SOURCE 200809L

#include "begun.h"

#include "fingerprint.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_placements(FILE *out, const struct grid *g) {
    for (int p = 0; p < g->placements; p++)
        fprintf(out, "%s%s", p ? "," : "placement=", g->placement[p].label);
}

static void write_whole(FILE *out, const char *name, const int64_t *values, int count) {
    for (int i = 0; i < count; i++)
        fprintf(out, "%s%s%" PRId64, i ? "," : name, i ? "" : "=", values[i]);
}

static void write_ratios(FILE *out, const struct grid *g) {
    for (int r = 0; r < g->ratios; r++)
        fprintf(out, "%s%.15g", r ? "," : "rho=", g->ratio[r]);
}

/* With one blank between two of them, wherever they came from. */
static void write_words(FILE *out, const char *text) {
    const char *word = text + strspn(text, BLANKS);
    fputs(*word ? "set=" : "set=none", out);
    while (*word) {
        size_t length = strcspn(word, BLANKS), blanks = strspn(word + length, BLANKS);
        fwrite(word, 1, length, out);
        word += length + blanks;
        fputs(*word ? " " : "", out);
    }
}

static void write_text(FILE *out, const struct text *text) {
    if (text)
        fprintf(out, "text=%zu bytes %016" PRIx64, text->size,
                fingerprint(text->bytes, text->size));
    else
        fputs("text=none", out);
}

static void write_all(FILE *out, const struct sweep *s) {
    const struct grid *g = s->setting.grid;
    fprintf(out, BEGUN_FORMAT "\nlibrary=%s\n", lnstab_build_info());
    write_placements(out, g);
    write_whole(out, "\nL", g->depth, g->depths);
    write_whole(out, "\nd", g->width, g->widths);
    fputc('\n', out);
    write_ratios(out, g);
    fprintf(out, "\nseed=%" PRIu64 "\ntokens=%" PRId64 "\nvocab=%" PRId64 "\n", s->first_seed,
            s->setting.tokens, s->setting.vocab);
    write_words(out, s->setting.assignments);
    fputc('\n', out);
    write_text(out, s->text);
    fputc('\n', out);
}

char *begun_with(const struct sweep *s) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    write_all(out, s);
    bool good = !ferror(out);
    if (fclose(out) == 0 && good)
        return text;
    free(text);
    return NULL;
}
