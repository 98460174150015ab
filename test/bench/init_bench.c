/* The initial values of GPT-2's smallest model, for bench.py, which asks by lines of standard input:
 *
 *     info     the library's build
 *     time     the seconds of one lnstab_model_init
 *     count    the number of its parameters
 *     show     SHOWN entries of embed.token from the first on */

#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lnstab.h"

enum { SHOWN = 1000, SEED = 7 };

static void need(int32_t status, const char *message) {
    if (status != LNSTAB_OK) {
        fprintf(stderr, "init_bench: %s\n", message);
        exit(1);
    }
}

/* Its init is before every timed one: pages of memory are there then. */
static lnstab_model *build(void) {
    lnstab_config *c;
    lnstab_model *m;
    need(lnstab_config_create(NULL, NULL, NULL, &c), "no memory");
    need(lnstab_config_set(c, "preset=gpt2-124m max_tokens=8 max_batch=1 gradients=0"),
         lnstab_config_message(c));
    need(lnstab_model_create(c, &m), lnstab_config_message(c));
    lnstab_config_destroy(c);
    return m;
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int64_t entries(const lnstab_tensor *t) {
    int64_t product = 1;
    for (int32_t axis = 0; axis < lnstab_tensor_rank(t); ++axis) {
        product *= lnstab_tensor_size(t, axis);
    }
    return product;
}

static int64_t count(lnstab_model *m) {
    int64_t sum = 0;
    for (int32_t i = 0; i < lnstab_model_tensor_count(m); ++i) {
        const lnstab_tensor *t = lnstab_model_tensor_at(m, i);
        sum += strcmp(lnstab_tensor_role(t), "parameter") ? 0 : entries(t);
    }
    return sum;
}

static void answer(lnstab_model *m, const char *line) {
    if (!strcmp(line, "time\n")) {
        const double start = seconds();
        need(lnstab_model_init(m, SEED), lnstab_model_message(m));
        printf("%.9g\n", seconds() - start);
    } else if (!strcmp(line, "count\n")) {
        printf("%lld\n", (long long)count(m));
    } else if (!strcmp(line, "show\n")) {
        const float *x = lnstab_tensor_data(lnstab_model_tensor(m, "embed.token"));
        for (int i = 0; i < SHOWN; ++i) {
            printf("%.9g%c", (double)x[i], i + 1 < SHOWN ? ' ' : '\n');
        }
    } else {
        puts(lnstab_build_info());
    }
}

int main(void) {
    char line[128];
    lnstab_model *m = build();
    need(lnstab_model_init(m, SEED), lnstab_model_message(m));
    while (fgets(line, sizeof line, stdin)) {
        answer(m, line);
        fflush(stdout);
    }
    lnstab_model_destroy(m);
    return 0;
}
