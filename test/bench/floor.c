/* The matrix products of a model's step and nothing else, for model.py, which asks by lines of standard input:
 *
 *     info                       cblas, or builtin: there is no CBLAS to ask, and no floor
 *     peak N                     GF/s of the best of several square products of N
 *     flops B T L d h d_ff V causal         floating-point operations of the products of one step
 *     time  B T L d h d_ff V causal STEPS   seconds of a step, the mean of so many; a shape's first step is not timed
 */

#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "floor_step.h"

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double peak(size_t n) {
    float *a = need(malloc(3 * n * n * sizeof *a));
    double best = 1e30;
    fill(a, 3 * n * n);
    for (int i = 0; i < 6; ++i) {
        const double before = seconds();
        gemm(0, 0, n, n, n, a, n, a + n * n, n, 0.0F, a + 2 * n * n, n);
        const double took = seconds() - before;
        best = took < best ? took : best;
    }
    free(a);
    return 2e-9 * (double)n * (double)n * (double)n / best;
}

/* The shape at hand, and its step. */
struct subject {
    struct shape of;
    struct step *step;
};

/* The step stays as long as the shape does. */
static double timed(struct subject *t, const struct shape *s, size_t steps) {
    if (memcmp(s, &t->of, sizeof *s) != 0) {
        step_end(t->step);
        *t = (struct subject){*s, step_start(s)};
        step_run(t->step);
    }
    const double before = seconds();
    for (size_t i = 0; i < steps; ++i) {
        step_run(t->step);
    }
    return (seconds() - before) / (double)steps;
}

static int is_builtin(void) {
#ifdef LNSTAB_CBLAS
    return 0;
#else
    return 1;
#endif
}

int main(void) {
    char line[160], word[16];
    struct subject subject = {.step = NULL};
    while (fgets(line, sizeof line, stdin)) {
        struct shape s = {.batch = 0};
        size_t steps = 0;
        const int n =
            sscanf(line, "%15s %zu %zu %zu %zu %zu %zu %zu %zu %zu", word, &s.batch, &s.tokens,
                   &s.layers, &s.width, &s.heads, &s.ffn, &s.vocab, &s.causal, &steps);
        if (n == 2 && !is_builtin()) {
            printf("%.6g\n", peak(s.batch));
        } else if (n == 9) {
            printf("%.9g\n", step_flops(&s));
        } else if (n == 10 && !is_builtin()) {
            printf("%.9g\n", timed(&subject, &s, steps));
        } else {
            puts(is_builtin() ? "builtin" : "cblas");
        }
        fflush(stdout);
    }
    step_end(subject.step);
    return 0;
}
