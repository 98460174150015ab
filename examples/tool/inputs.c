#include "inputs.h"

#include "usage.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STREAM_INPUT = 1, STREAM_LABEL = 3, STREAM_OFFSET = 5 };

/* Reads to the end of file; grows by doubling. */
static bool read_all(struct text *t, FILE *file) {
    size_t room = 0, got;
    do {
        if (t->size == room) {
            room = room ? 2 * room : 65536;
            unsigned char *larger = realloc(t->bytes, room);
            if (!larger)
                return false;
            t->bytes = larger;
        }
        got = fread(t->bytes + t->size, 1, room - t->size, file);
        t->size += got;
    } while (got > 0);
    return !ferror(file);
}

bool text_read(struct text *t, const char *path, size_t least) {
    FILE *file = fopen(path, "rb");
    *t = (struct text){NULL, 0};
    errno = file ? 0 : errno;
    bool good = file && read_all(t, file);
    if (!good)
        usage_error("--text %s: %s", path, strerror(errno));
    else if (t->size < least)
        usage_error("--text %s has %zu bytes; %zu are needed, --tokens and one more", path, t->size,
                    least);
    if (file)
        fclose(file);
    return good && t->size >= least;
}

static double uniform(uint64_t seed, uint32_t stream, uint64_t place) {
    double u;
    lnstab_random_uniform(seed, stream, place, 1, &u);
    return u;
}

static void round_to_float(const double *from, float *to, size_t count) {
    for (size_t i = 0; i < count; i++)
        to[i] = (float)from[i];
}

bool inputs_gaussian(struct inputs *in, int64_t tokens, int64_t width, int64_t vocab,
                     uint64_t seed) {
    size_t count = (size_t)tokens * (size_t)width;
    *in = (struct inputs){.tokens = tokens};
    in->x = malloc(count * sizeof *in->x);
    in->rounded = malloc(count * sizeof *in->rounded);
    in->target = malloc((size_t)tokens * sizeof *in->target);
    if (!in->x || !in->rounded || !in->target)
        return false;
    lnstab_random_normal(seed, STREAM_INPUT, 0, count, in->x);
    round_to_float(in->x, in->rounded, count);
    for (int64_t i = 0; i < tokens; i++)
        in->target[i] = (int32_t)((double)vocab * uniform(seed, STREAM_LABEL, (uint64_t)i));
    return true;
}

bool inputs_uniform(struct inputs *in, int64_t tokens, int64_t vocab, uint64_t seed) {
    size_t count = (size_t)tokens;
    *in = (struct inputs){.tokens = tokens};
    in->token = malloc(count * sizeof *in->token);
    in->target = malloc(count * sizeof *in->target);
    if (!in->token || !in->target)
        return false;
    for (size_t i = 0; i < count; i++) {
        in->token[i] = (int32_t)((double)vocab * uniform(seed, STREAM_INPUT, i));
        in->target[i] = (int32_t)((double)vocab * uniform(seed, STREAM_LABEL, i));
    }
    return true;
}

bool inputs_text(struct inputs *in, int64_t tokens, const struct text *text, uint64_t seed) {
    size_t count = (size_t)tokens;
    size_t offset = (size_t)((double)(text->size - count) * uniform(seed, STREAM_OFFSET, 0));
    *in = (struct inputs){.tokens = tokens};
    in->token = malloc(count * sizeof *in->token);
    in->target = malloc(count * sizeof *in->target);
    if (!in->token || !in->target)
        return false;
    for (size_t i = 0; i < count; i++) {
        in->token[i] = text->bytes[offset + i];
        in->target[i] = text->bytes[offset + i + 1];
    }
    return true;
}

bool inputs_of(lnstab_config *c, int64_t tokens, uint64_t seed, struct inputs *in) {
    char kind[16] = "";
    int64_t vocab = 1, width = 1;
    lnstab_config_get_str(c, "input", kind, sizeof kind, NULL);
    lnstab_config_get_i64(c, "vocab", &vocab);
    lnstab_config_get_i64(c, "width", &width);
    return strcmp(kind, "embedded") == 0 ? inputs_gaussian(in, tokens, width, vocab, seed)
                                         : inputs_uniform(in, tokens, vocab, seed);
}

int32_t inputs_forward(lnstab_model *m, const struct inputs *in) {
    bool single = lnstab_tensor_dtype(lnstab_model_tensor_at(m, 0)) == LNSTAB_FLOAT32;
    const void *x = single ? (const void *)in->rounded : in->x;
    return in->token ? lnstab_model_forward(m, 1, in->tokens, in->token, NULL)
                     : lnstab_model_forward_embedded(m, 1, in->tokens, x, NULL);
}

void inputs_free(struct inputs *in) {
    free(in->x);
    free(in->rounded);
    free(in->token);
    free(in->target);
}
