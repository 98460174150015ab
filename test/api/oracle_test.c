/* The model against the independent oracles of test/parity: test/data/models.txt, of numpy, and torch.txt,
 * of PyTorch. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/fixture.h"
#include "support/handles.h"
#include "support/main.h"

/* Values are compared by the yardstick of doc/numerics.md: 1e-10 of the largest entry of states and
 * parameters, and of the model's gradient for gradients. A norm bounds its largest entry from above and is at most
 * sqrt(n) times it, so 1e-11 of the norm is the stricter of the two for all sizes here. */
static const double tolerance = 1e-11;

enum { MOST_ROWS = 64 };

struct scene {
    char config[1024];
    uint64_t seed;
    double perturbation;
    int64_t B, T, vocab, width;
    int ignore, masked, embedded;
};

static void read_scene(struct fixture *f, struct scene *s) {
    memset(s, 0, sizeof *s);
    while (fixture_next(f) && !fixture_is(f, "loss")) {
        if (fixture_is(f, "config")) {
            for (int i = 1; i < f->count; ++i) {
                strcat(strcat(s->config, f->words[i]), " ");
            }
            strcat(s->config, "keep_states=2");
        } else if (fixture_is(f, "seed")) {
            s->seed = strtoull(f->words[1], NULL, 10);
        } else if (fixture_is(f, "perturb")) {
            s->perturbation = fixture_number(f, 1);
        } else if (fixture_is(f, "batch")) {
            s->B = fixture_integer(f, 1);
            s->T = fixture_integer(f, 3);
        } else if (fixture_is(f, "ignore")) {
            s->ignore = (int)fixture_integer(f, 1);
        } else if (fixture_is(f, "masked")) {
            s->masked = (int)fixture_integer(f, 1);
        }
    }
    s->embedded = strstr(s->config, "input=embedded") != NULL;
    s->vocab = strtoll(strstr(s->config, "vocab=") + 6, NULL, 10);
    s->width = strtoll(strstr(s->config, " width=") + 7, NULL, 10);
}

static void draw_ids(const struct scene *s, uint32_t stream, int32_t *ids) {
    double u[MOST_ROWS];
    lnstab_random_uniform(s->seed, stream, 0, (size_t)(s->B * s->T), u);
    for (int64_t i = 0; i < s->B * s->T; ++i) {
        ids[i] = (int32_t)((double)s->vocab * u[i]);
        if (stream == 3 && s->ignore && i % 5 == 4) {
            ids[i] = -100;
        }
    }
}

static void draw_keep(const struct scene *s, uint8_t *keep) {
    double u[MOST_ROWS];
    lnstab_random_uniform(s->seed, 4, 0, (size_t)(s->B * s->T), u);
    for (int64_t i = 0; i < s->B * s->T; ++i) {
        keep[i] = i >= s->T && u[i] < 0.7;
    }
}

static void run_scene(lnstab_model *m, const struct scene *s, double *loss, int64_t *counted) {
    int32_t tokens[MOST_ROWS], targets[MOST_ROWS];
    uint8_t keep[MOST_ROWS];
    ck_assert_int_le(s->B * s->T, MOST_ROWS);
    draw_ids(s, 2, tokens);
    draw_ids(s, 3, targets);
    draw_keep(s, keep);
    ck_good(lnstab_model_message(m), lnstab_model_init(m, s->seed));
    perturb(m, s->seed + 1000, s->perturbation);
    if (s->embedded) {
        double *x = normals(s->seed, 1, (size_t)(s->B * s->T * s->width), LNSTAB_FLOAT64);
        ck_good(lnstab_model_message(m),
                lnstab_model_forward_embedded(m, s->B, s->T, x, s->masked ? keep : NULL));
        free(x);
    } else {
        ck_good(lnstab_model_message(m),
                lnstab_model_forward(m, s->B, s->T, tokens, s->masked ? keep : NULL));
    }
    ck_good(lnstab_model_message(m), lnstab_model_loss(m, targets, loss, counted));
    ck_good(lnstab_model_message(m), lnstab_model_backward(m, NULL));
}

/* A line: kind, name, count, norm, and the first, middle and last entry. */
static void compare_line(lnstab_model *m, const struct fixture *f, const char *scene,
                         double scale) {
    const int is_gradient = fixture_is(f, "grad") || fixture_is(f, "costate");
    const void *x = is_gradient ? grad_of(m, f->words[1]) : data_of(m, f->words[1]);
    const size_t n = tensor_count(lnstab_model_tensor(m, f->words[1]));
    const double bound = tolerance * fmax(scale, is_gradient ? 0 : fixture_number(f, 3));
    const size_t at[] = {0, n / 2, n - 1};
    ck_assert_uint_eq(n, (size_t)fixture_integer(f, 2));
    ck_assert_msg(fabs(array_norm(x, LNSTAB_FLOAT64, n) - fixture_number(f, 3)) <= bound,
                  "%s: norm of %s %s is %.17g, not %s", scene, f->words[0], f->words[1],
                  array_norm(x, LNSTAB_FLOAT64, n), f->words[3]);
    for (int i = 0; i < 3; ++i) {
        ck_assert_msg(fabs(entry(x, LNSTAB_FLOAT64, at[i]) - fixture_number(f, 4 + i)) <= bound,
                      "%s: %s %s [%zu] is %.17g, not %s", scene, f->words[0], f->words[1], at[i],
                      entry(x, LNSTAB_FLOAT64, at[i]), f->words[4 + i]);
    }
}

/* One block of the fixture; leaves f at the next block's first line or at the end (count 0). */
static void replay(struct fixture *f) {
    struct scene s;
    char name[80];
    double loss, norm = 0;
    int64_t counted;
    snprintf(name, sizeof name, "%s", f->words[1]);
    read_scene(f, &s);
    lnstab_model *m = new_model(s.config);
    run_scene(m, &s, &loss, &counted);
    ck_assert_msg(fabs(loss - fixture_number(f, 1)) <= tolerance * fabs(loss),
                  "%s: loss %.17g, not %s", name, loss, f->words[1]);
    ck_assert_int_eq(counted, fixture_integer(f, 3));
    while (fixture_next(f) && !fixture_is(f, "case")) {
        if (fixture_is(f, "grad_norm")) {
            lnstab_model_health(m, "gradients", &norm, NULL, NULL, NULL, NULL);
            ck_assert_double_le(fabs(norm - fixture_number(f, 1)), tolerance * norm);
        } else if (f->count == 7) {
            const int is_gradient = fixture_is(f, "grad") || fixture_is(f, "costate");
            compare_line(m, f, name, is_gradient ? norm : 0);
        }
    }
    lnstab_model_destroy(m);
}

static void replay_all(const char *name, int least_cases) {
    struct fixture f = fixture_open(name);
    int cases = 0;
    for (fixture_next(&f); f.count; ++cases) {
        ck_assert_msg(fixture_is(&f, "case"), "%s", f.words[0]);
        replay(&f);
    }
    fixture_close(&f);
    ck_assert_int_ge(cases, least_cases);
}

START_TEST(test_models_agree_with_oracle) {
    replay_all("models.txt", 40);
}
END_TEST

START_TEST(test_every_option_agrees_with_pytorch) {
    replay_all("torch.txt", 30);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("oracle");
    TCase *models = tcase_create("models");
    tcase_set_timeout(models, 120);
    tcase_add_test(models, test_models_agree_with_oracle);
    tcase_add_test(models, test_every_option_agrees_with_pytorch);
    suite_add_tcase(suite, models);
    return run_suite(suite);
}
