/* A model's calls, one at a time, for model.py, which asks by lines of standard input:
 *
 *     info                   the library's build
 *     time B T KEYS          seconds of one step (forward, loss, backward); a model's first is not timed
 *     first B T KEYS         seconds of a model's first step
 *     overhead B T KEYS      seconds of one forward, loss and backward: the mean of many
 *     loss B T KEYS          the loss of token 7919 i mod V at place i, labels the tokens one place on
 *     size B T KEYS          bytes of such a model, which is not made
 *     rss                    bytes of memory that the process had at most
 *     tensor NAME            the bytes of a parameter of the model at hand in hexadecimal
 *
 * KEYS are assignments as lnstab_config_set takes them. The model stays as long as B, T and KEYS do. */

#define _DEFAULT_SOURCE

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "lnstab.h"

enum { LINE = 1024, CALLS = 2000 };

struct subject {
    char setting[LINE];
    int64_t batch, tokens;
    lnstab_model *model;
    int32_t *text; /* [B T + 1] */
    double first;  /* seconds of the first step */
};

static void need(int is_good, const char *message) {
    if (!is_good) {
        fprintf(stderr, "model_bench: %s\n", message);
        exit(1);
    }
}

static void call(const struct subject *s, int32_t status) {
    need(status == LNSTAB_OK, lnstab_model_message(s->model));
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void end(struct subject *s) {
    lnstab_model_destroy(s->model);
    free(s->text);
    memset(s, 0, sizeof *s);
}

/* B and T of a setting; returns where its keys start. */
static const char *read_sizes(struct subject *s, const char *setting) {
    int at = 0;
    need(sscanf(setting, "%" SCNd64 " %" SCNd64 " %n", &s->batch, &s->tokens, &at) == 2,
         "B T KEYS");
    return setting + at;
}

static lnstab_config *configure(const struct subject *s, const char *keys) {
    char sizes[80];
    lnstab_config *c = NULL;
    need(lnstab_config_create(NULL, NULL, NULL, &c) == LNSTAB_OK, "no configuration");
    snprintf(sizes, sizeof sizes, "max_batch=%" PRId64 " max_tokens=%" PRId64, s->batch, s->tokens);
    need(lnstab_config_set(c, keys) == LNSTAB_OK && lnstab_config_set(c, sizes) == LNSTAB_OK,
         lnstab_config_message(c));
    return c;
}

static void print_size(const char *setting) {
    struct subject s;
    size_t bytes = 0;
    const char *keys = read_sizes(&s, setting);
    lnstab_config *c = configure(&s, keys);
    need(lnstab_model_size(c, &bytes) == LNSTAB_OK, lnstab_config_message(c));
    lnstab_config_destroy(c);
    printf("%zu\n", bytes);
}

static void create(struct subject *s, const char *keys) {
    int64_t vocab = 1;
    lnstab_config *c = configure(s, keys);
    need(lnstab_config_get_i64(c, "vocab", &vocab) == LNSTAB_OK &&
             lnstab_model_create(c, &s->model) == LNSTAB_OK,
         lnstab_config_message(c));
    lnstab_config_destroy(c);
    call(s, lnstab_model_init(s->model, 1));
    const int64_t n = s->batch * s->tokens + 1;
    s->text = malloc((size_t)n * sizeof *s->text);
    need(s->text != NULL, "no memory");
    for (int64_t i = 0; i < n; ++i) {
        s->text[i] = (int32_t)(7919 * i % vocab);
    }
}

static double step(const struct subject *s) {
    double loss;
    call(s, lnstab_model_forward(s->model, s->batch, s->tokens, s->text, NULL));
    call(s, lnstab_model_loss(s->model, s->text + 1, &loss, NULL));
    call(s, lnstab_model_backward(s->model, NULL));
    return loss;
}

static double timed_step(const struct subject *s) {
    call(s, lnstab_model_zero_grads(s->model));
    const double before = seconds();
    step(s);
    return seconds() - before;
}

static double first_step(const struct subject *s) {
    return s->first;
}

static double overhead(const struct subject *s) {
    const double before = seconds();
    for (int i = 0; i < CALLS; ++i) {
        step(s);
    }
    return (seconds() - before) / CALLS;
}

static const struct {
    const char *name;
    double (*measure)(const struct subject *s);
} commands[] = {
    {"time", timed_step}, {"first", first_step}, {"overhead", overhead}, {"loss", step}};

static void print_rss(void) {
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    printf("%.0f\n", 1024.0 * (double)use.ru_maxrss);
}

static void print_tensor(const struct subject *s, const char *name) {
    const lnstab_tensor *t = s->model ? lnstab_model_tensor(s->model, name) : NULL;
    need(t != NULL, "no such tensor");
    size_t bytes = sizeof(float);
    for (int32_t i = 0; i < lnstab_tensor_rank(t); ++i) {
        bytes *= (size_t)lnstab_tensor_size(t, i);
    }
    const unsigned char *data = lnstab_tensor_data(t);
    for (size_t i = 0; i < bytes; ++i) {
        printf("%02x", data[i]);
    }
    putchar('\n');
}

static void answer(struct subject *s, const char *command, const char *setting) {
    if (strcmp(setting, s->setting) != 0) {
        end(s);
        create(s, read_sizes(s, setting));
        memcpy(s->setting, setting, strlen(setting) + 1);
        s->first = timed_step(s);
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; ++i) {
        if (strcmp(command, commands[i].name) == 0) {
            printf("%.12g\n", commands[i].measure(s));
        }
    }
}

int main(void) {
    char line[LINE], command[16];
    struct subject s = {.model = NULL};
    while (fgets(line, sizeof line, stdin)) {
        int at = 0;
        line[strcspn(line, "\n")] = '\0';
        need(sscanf(line, "%15s %n", command, &at) == 1, "a command");
        if (strcmp(command, "tensor") == 0) {
            print_tensor(&s, line + at);
        } else if (strcmp(command, "size") == 0) {
            print_size(line + at);
        } else if (strcmp(command, "rss") == 0) {
            print_rss();
        } else if (line[at]) {
            answer(&s, command, line + at);
        } else {
            puts(lnstab_build_info());
        }
        fflush(stdout);
    }
    end(&s);
    return 0;
}
