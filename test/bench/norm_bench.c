/* The norm handle's calls, one at a time, for bench.py, which asks by lines of standard input:
 *
 *     info                                    the library's build
 *     time WORK DTYPE WIDTH ROWS GAMMA        the seconds of one call on all rows, after one that is not timed
 *     show WORK DTYPE WIDTH ROWS GAMMA        SHOWN rows of x, gamma, and what WORK makes of these rows
 *
 * WORK is forward (y), norms (all four outputs of lnstab_norm_jacobian; the spectral norms are shown) or
 * spectral. GAMMA is ones or random. What is shown is bytes in hexadecimal, a line each. */

#define _POSIX_C_SOURCE 200809L

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lnstab.h"

enum { SHOWN = 8 };

struct setting {
    char work[16], dtype[16], gamma[16];
    size_t width, rows;
};

struct rows {
    struct setting of;
    lnstab_norm *norm;
    size_t size, gamma_size;
    unsigned char *x, *y, *gamma;
    double *norms; /* [4, rows] */
};

static void *take(size_t bytes) {
    void *block = calloc(1, bytes + 1);
    if (!block) {
        fprintf(stderr, "norm_bench: no %zu bytes\n", bytes);
        exit(1);
    }
    return block;
}

static void need(int32_t status, const char *message) {
    if (status != LNSTAB_OK) {
        fprintf(stderr, "norm_bench: %s\n", message);
        exit(1);
    }
}

/* A number of each type, of a normal one: float16 of the kind 1.mantissa. */
static void put(const char *dtype, unsigned char *to, double value) {
    const float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    const uint16_t half = (uint16_t)(bits >> 16);
    const uint16_t binary16 = (uint16_t)((half & 0x8000) | 0x3c00 | (bits >> 12 & 0x3ff));
    switch (dtype[0] == 'b' ? 16 : atoi(dtype + 5)) {
    case 64:
        memcpy(to, &value, 8);
        break;
    case 32:
        memcpy(to, &single, 4);
        break;
    default:
        memcpy(to, dtype[0] == 'b' ? &half : &binary16, 2);
    }
}

static unsigned char *draw(const char *dtype, size_t size, uint32_t stream, size_t n) {
    double *values = take(n * sizeof *values);
    unsigned char *out = take(n * size);
    need(lnstab_random_normal(1, stream, 0, n, values), "random numbers");
    for (size_t i = 0; i < n; ++i) {
        put(dtype, out + i * size, values[i]);
    }
    free(values);
    return out;
}

static void end(struct rows *r) {
    lnstab_norm_destroy(r->norm);
    free(r->x);
    free(r->y);
    free(r->gamma);
    free(r->norms);
}

static struct rows start(const struct setting *s) {
    const int is_wide = strcmp(s->dtype, "float64") == 0;
    struct rows r = {.of = *s,
                     .size = is_wide                            ? 8
                             : strcmp(s->dtype, "float32") == 0 ? 4
                                                                : 2,
                     .gamma_size = is_wide ? 8 : 4};
    char words[96];
    lnstab_config *c = NULL;
    snprintf(words, sizeof words, "width=%zu dtype=%s", s->width, s->dtype);
    need(lnstab_config_create(NULL, NULL, NULL, &c), "no configuration");
    need(lnstab_config_set(c, words), lnstab_config_message(c));
    need(lnstab_norm_create(c, &r.norm), lnstab_config_message(c));
    lnstab_config_destroy(c);
    r.x = draw(s->dtype, r.size, 1, s->rows * s->width);
    r.y = take(s->rows * s->width * r.size);
    r.norms = take(4 * s->rows * sizeof *r.norms);
    if (strcmp(s->gamma, "random") == 0) {
        r.gamma = draw(is_wide ? "float64" : "float32", r.gamma_size, 2, s->width);
        need(lnstab_norm_set_affine(r.norm, r.gamma, NULL), lnstab_norm_message(r.norm));
    }
    return r;
}

static void work(const struct rows *r, const char *name) {
    const size_t rows = r->of.rows;
    const ptrdiff_t ld = (ptrdiff_t)r->of.width;
    double *const out = r->norms;
    if (strcmp(name, "forward") == 0) {
        need(lnstab_norm_forward(r->norm, rows, r->x, ld, r->y, ld), "forward");
    } else {
        const int all = strcmp(name, "norms") == 0;
        need(lnstab_norm_jacobian(r->norm, rows, r->x, ld, all ? out + rows : NULL, out,
                                  all ? out + 2 * rows : NULL, all ? out + 3 * rows : NULL),
             "jacobian");
    }
}

static void print_bytes(const void *bytes, size_t n) {
    for (size_t i = 0; i < n; ++i) {
        printf("%02x", ((const unsigned char *)bytes)[i]);
    }
    putchar('\n');
}

static void show(const struct rows *r, const char *name) {
    const size_t row = r->of.width * r->size;
    const size_t shown = r->of.rows < SHOWN ? r->of.rows : SHOWN;
    print_bytes(r->x, shown * row);
    print_bytes(r->gamma, r->gamma ? r->of.width * r->gamma_size : 0);
    if (strcmp(name, "forward") == 0) {
        print_bytes(r->y, shown * row);
    } else {
        print_bytes(r->norms, shown * sizeof *r->norms);
    }
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The rows stay as long as the setting does. */
static void answer(struct rows *r, const char *command, struct setting *s) {
    char name[sizeof s->work];
    memcpy(name, s->work, sizeof name);
    memset(s->work, 0, sizeof s->work);
    if (memcmp(s, &r->of, sizeof *s) != 0) {
        end(r);
        *r = start(s);
    }
    work(r, name);
    if (strcmp(command, "show") == 0) {
        show(r, name);
        return;
    }
    const double before = seconds();
    work(r, name);
    printf("%.9g\n", seconds() - before);
}

int main(void) {
    char line[128], command[16];
    struct rows rows = {.norm = NULL};
    while (fgets(line, sizeof line, stdin)) {
        struct setting s;
        memset(&s, 0, sizeof s);
        if (sscanf(line, "%15s %15s %15s %zu %zu %15s", command, s.work, s.dtype, &s.width, &s.rows,
                   s.gamma) == 6) {
            answer(&rows, command, &s);
        } else {
            puts(lnstab_build_info());
        }
        fflush(stdout);
    }
    end(&rows);
    return 0;
}
