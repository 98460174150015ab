/* Both sides of every claim of the table on models: each call's errors, and whether the relation holds, of
 * means over seeds where the claim is about means. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/handles.h"
#include "support/main.h"

enum { WIDTH = 128, LAYERS = 2, TOKENS = 16, VOCAB = 200, SEEDS = 24, PLACES = 2 * LAYERS + 1 };

#define SIZES                                                                                      \
    "layers=2 width=128 ffn_width=256 vocab=200 max_tokens=16 max_batch=3 input=embedded "         \
    "dtype=float64 keep_states=2 gain_qk=0 causal=0 "

static void forward(lnstab_model *m, uint64_t seed, int64_t batch, int64_t tokens) {
    double *x = normals(seed, 1, (size_t)(batch * tokens) * WIDTH, LNSTAB_FLOAT64);
    ck_good(lnstab_model_message(m), lnstab_model_forward_embedded(m, batch, tokens, x, NULL));
    free(x);
}

/* Of the loss of the first `counted` tokens. */
static void backward(lnstab_model *m, int seed, int counted) {
    int32_t targets[3 * TOKENS];
    double loss;
    for (int32_t i = 0; i < 3 * TOKENS; ++i) {
        targets[i] = i < counted ? (31 * i + 7 * (int32_t)seed) % VOCAB : -100;
    }
    ck_good(lnstab_model_message(m), lnstab_model_zero_grads(m));
    ck_good(lnstab_model_message(m), lnstab_model_loss(m, targets, &loss, NULL));
    ck_good(lnstab_model_message(m), lnstab_model_backward(m, NULL));
}

/* ---- errors ---- */

static void refuse(lnstab_model *m, const char *claim, const char *arguments, int32_t wanted,
                   const char *message) {
    double stated = 7, measured = 8;
    const int32_t status = lnstab_claim_measure(m, claim, arguments, &stated, &measured);
    ck_assert_msg(status == wanted && strcmp(lnstab_model_message(m), message) == 0,
                  "%s %s: %d '%s', not %d '%s'", claim, arguments, status, lnstab_model_message(m),
                  wanted, message);
    ck_assert(stated == 7 && measured == 8);
}

static void needs(lnstab_model *m, const char *claim, const char *arguments, const char *what) {
    char message[200];
    snprintf(message, sizeof message, "%s needs %s", claim, what);
    refuse(m, claim, arguments, LNSTAB_ERROR_UNAVAILABLE, message);
}

START_TEST(test_arguments) {
    static const char *const told[][2] = {{"meanfield.q", "tokens"},
                                          {"meanfield.costate", "coherence"},
                                          {"bound.state", "start"},
                                          {"theorem1.probability_published", "delta"},
                                          {"theorem1.probability_repaired", "tau"}};
    lnstab_model *m = new_model(SIZES "placement=peri");
    forward(m, 1, 1, TOKENS);
    backward(m, 1, TOKENS);
    for (size_t i = 0; i < sizeof told / sizeof *told; ++i) {
        char arguments[40], message[80];
        snprintf(arguments, sizeof arguments, "%s=1", told[i][1]);
        snprintf(message, sizeof message, "%s is what the model tells itself", told[i][1]);
        refuse(m, told[i][0], arguments, LNSTAB_ERROR_NAME, message);
    }
    refuse(m, "meanfield", "", LNSTAB_ERROR_NAME, "no claim 'meanfield'");
    refuse(m, "meanfield.q", "", LNSTAB_ERROR_ARGUMENT, "meanfield.q needs layer");
    refuse(m, "meanfield.q", "layer=3", LNSTAB_ERROR_ARGUMENT, "layer 3 is outside 1..2");
    refuse(m, "bound.state", "sublayer=6", LNSTAB_ERROR_ARGUMENT, "sublayer 6 is outside 1..5");
    refuse(m, "meanfield.q", "layer=1 level=0.5", LNSTAB_ERROR_NAME,
           "meanfield.q takes layer tokens, not 'level'");
    refuse(m, "lemma5.markov", "level=1", LNSTAB_ERROR_ARGUMENT,
           "level '1' is not a number above 0 and below 1");
    refuse(m, "lemma5.markov", "", LNSTAB_ERROR_ARGUMENT, "lemma5.markov needs level");
    refuse(m, "theorem1.printed", "", LNSTAB_ERROR_UNAVAILABLE,
           "theorem1.printed does not cover this: out_proj must be 0 (no W_O)");
    refuse(m, "definition1.bound", "epsilon=2", LNSTAB_ERROR_UNAVAILABLE,
           "definition1.bound has no finite value for this configuration and these arguments");
    double value;
    ck_assert_int_eq(lnstab_claim_measure(m, "bound.state", "sublayer=1", &value, &value),
                     LNSTAB_OK);
    ck_assert_str_eq(lnstab_model_message(m), "");
    ck_assert_int_eq(lnstab_claim_measure(NULL, "bound.state", "sublayer=1", &value, &value),
                     LNSTAB_ERROR_ARGUMENT);
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_what_must_have_been_done) {
    static const char *const none = "a backward, and there has been none since the last forward";
    double *dout = normals(1, 2, (size_t)TOKENS * WIDTH, LNSTAB_FLOAT64);
    lnstab_model *m = new_model(SIZES "placement=peri");
    needs(m, "bound.state", "sublayer=1",
          "a forward, and there has been none since the weights were set");
    forward(m, 1, 1, TOKENS);
    needs(m, "meanfield.costate", "sublayer=1", none);
    ck_good(lnstab_model_message(m), lnstab_model_backward(m, dout));
    needs(m, "meanfield.w_1", "layer=1", "the backward of a loss: dout was given");
    backward(m, 1, 2);
    needs(m, "meanfield.token_w_1", "layer=1", "a loss that counted one token");
    forward(m, 1, 3, TOKENS);
    needs(m, "rankone.identity", "layer=1", none);
    backward(m, 1, 3 * TOKENS);
    needs(m, "meanfield.costate", "sublayer=1", "one sequence: a batch of 1");
    needs(m, "meanfield.w_1", "layer=1", "one sequence: a batch of 1");
    lnstab_model_destroy(m);
    free(dout);
}
END_TEST

/* Every claim of the table that needs something says so. */
START_TEST(test_keys) {
    static const struct {
        const char *words, *word, *what;
    } rows[] = {{"keep_states=0", "states", "every state: set keep_states=1"},
                {"keep_states=1", "costates", "costates: set keep_states=2"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char words[300];
        int compared = 0;
        snprintf(words, sizeof words, "%s placement=post heads=1 bias=0 eps=0 out_proj=0 %s", SIZES,
                 rows[i].words);
        lnstab_model *m = new_model(words);
        forward(m, 1, 1, TOKENS);
        backward(m, 1, 1);
        for (int32_t j = 0; j < lnstab_table_count("claims"); ++j) {
            const char *name = lnstab_table_text("claims", j, "name");
            const char *asked = lnstab_table_text("claims", j, "arguments");
            char arguments[80] = "";
            if (!strstr(lnstab_table_text("claims", j, "needs"), rows[i].word) ||
                strcmp(name, "meanfield.w_o") == 0 || strcmp(name, "meanfield.token_w_o") == 0) {
                continue;
            }
            snprintf(arguments, sizeof arguments, "%s%s%s%s",
                     strstr(asked, "layer") == asked ? "layer=1" : "",
                     strstr(asked, "sublayer") ? "sublayer=1" : "",
                     strstr(asked, "epsilon") ? "epsilon=0.5" : "",
                     strstr(asked, "level") ? "level=0.5" : "");
            needs(m, name, arguments, rows[i].what);
            ++compared;
        }
        ck_assert_int_ge(compared, 15);
        lnstab_model_destroy(m);
    }
}
END_TEST

/* ---- relations ---- */

/* What seeds give of one claim in one place. */
struct sample {
    double stated[SEEDS], measured[SEEDS];
    int count;
};

/* What a finite width adds to a limit (doc/theory.md, section 12): c of a factor 1 + c/d, of the power of
 * the claim that means are taken of, or of a term c/d of cosines; by the beginning of a name's second part. */
static const struct allowance {
    const char *name;
    int power, is_cosine;
    double least, most;
} allowances[] = {{"cosine", 1, 1, -4, 4},
                  {"hidden_cosine", 1, 1, -4, 4},
                  {"state_cosine", 1, 1, -4, 4},
                  {"costate_cosine", 1, 1, -4, 4},
                  {"coherence", 1, 1, -4, 4},
                  {"update_ratio", 2, 0, -3, 3},
                  {"costate", 2, 0, -2, 3 + LAYERS},
                  {"w_", 2, 0, -2, 3 + LAYERS},
                  {"token_", 2, 0, -2, 3 + LAYERS},
                  {"loss_gradient", 2, 0, -3, 3},
                  {"", 1, 0, -3, 3}};

static struct allowance allowance_of(const char *claim) {
    const char *name = strchr(claim, '.') + 1;
    size_t i = 0;
    while (strncmp(name, allowances[i].name, strlen(allowances[i].name)) != 0) {
        ++i;
    }
    return allowances[i];
}

/* Means over the seeds of what is measured less what is stated, and of what is stated; 3.5 standard errors
 * of the first. */
struct means {
    double difference, stated, half;
};

static struct means means_of(const struct sample *s, int power) {
    struct means m = {0, 0, 0};
    for (int i = 0; i < s->count; ++i) {
        m.difference += (pow(s->measured[i], power) - pow(s->stated[i], power)) / s->count;
        m.stated += pow(s->stated[i], power) / s->count;
    }
    for (int i = 0; i < s->count; ++i) {
        m.half += pow(pow(s->measured[i], power) - pow(s->stated[i], power) - m.difference, 2);
    }
    m.half = 3.5 * sqrt(m.half / (s->count - 1) / s->count);
    return m;
}

/* Does measured - stated, somewhere in difference +- half, stand in the relation? */
static int stands(const char *relation, double difference, double half) {
    return strcmp(relation, "<=") == 0   ? difference <= half
           : strcmp(relation, ">=") == 0 ? difference >= -half
                                         : fabs(difference) <= half;
}

static void judge_limit(const char *claim, const char *place, const struct sample *s) {
    const struct allowance a = allowance_of(claim);
    const struct means m = means_of(s, a.power);
    const double scale = a.is_cosine ? 1 : m.stated;
    const double least = scale * (a.power * a.least / WIDTH - 1e-12);
    const double most = scale * (a.power * a.most / WIDTH + 1e-12);
    ck_assert_msg(least <= m.difference + m.half && m.difference - m.half <= most,
                  "%s %s: %.5f %+.5f +- %.5f", claim, place, m.stated, m.difference, m.half);
    ck_assert_msg(m.half <= 0.5 * scale, "%s %s: %.5f %+.5f +- %.5f", claim, place, m.stated,
                  m.difference, m.half);
}

/* Of every model: 1e-9, of sides that are of order 1. Of means: their error. Published: finite. */
static void judge(const char *claim, const char *kind, const char *relation, const char *place,
                  const struct sample *s) {
    const int of_means = strcmp(kind, "expectation") == 0 || strcmp(kind, "probability") == 0;
    if (strcmp(kind, "limit") == 0) {
        judge_limit(claim, place, s);
    } else if (of_means) {
        const struct means m = means_of(s, 1);
        ck_assert_msg(stands(relation, m.difference, m.half + 1e-12), "%s %s: %.5f %+.5f +- %.5f",
                      claim, place, m.stated, m.difference, m.half);
    } else if (strcmp(kind, "published") != 0) {
        for (int i = 0; i < s->count; ++i) {
            ck_assert_msg(stands(relation, s->measured[i] - s->stated[i], 1e-9),
                          "%s %s: %.17g, stated %.17g", claim, place, s->measured[i], s->stated[i]);
        }
    }
}

enum { CLAIMS = 80 };

struct samples {
    struct sample at[CLAIMS][PLACES];
};

/* "layer=1", "sublayer=1" in place k = 0, 1, ..., and levels; 0 where the claim has no such place. */
static int spell(const char *asked, int k, char text[80]) {
    const int of_sublayers = strstr(asked, "sublayer") != NULL;
    const int of_layers = !of_sublayers && strstr(asked, "layer") != NULL;
    text[0] = 0;
    if (of_sublayers || of_layers) {
        snprintf(text, 80, "%s=%d", of_sublayers ? "sublayer" : "layer", k + 1);
    }
    strcat(text, strstr(asked, "epsilon") ? " epsilon=0.25" : "");
    strcat(text, strstr(asked, "level") ? " level=0.5" : "");
    return k < (of_sublayers ? PLACES : of_layers ? LAYERS : 1);
}

/* Claims by norms of matrices are about every model: one seed will do, for what they cost. */
static int needs_norms(int32_t j) {
    const char *needed = lnstab_table_text("claims", j, "needs");
    return strstr(needed, "krylov") || strstr(needed, "branches");
}

/* Everything that the model, as it is now, has both sides of and had not before in this seed. */
static void measure_all(lnstab_model *m, int seed, int by_norms, struct samples *s) {
    for (int32_t j = 0; j < lnstab_table_count("claims"); ++j) {
        if (needs_norms(j) != by_norms) {
            continue;
        }
        char arguments[80];
        const char *asked = lnstab_table_text("claims", j, "arguments");
        for (int k = 0; spell(asked, k, arguments); ++k) {
            struct sample *at = &s->at[j][k];
            double stated, measured;
            if (at->count == seed &&
                lnstab_claim_measure(m, lnstab_table_text("claims", j, "name"), arguments, &stated,
                                     &measured) == LNSTAB_OK &&
                isfinite(measured)) {
                at->stated[seed] = stated;
                at->measured[seed] = measured;
                ++at->count;
            }
        }
    }
}

/* All of the table on a model; covered[j] counts the places where claim j has both sides. */
static void judge_all(const char *words, int by_norms, int covered[CLAIMS]) {
    char text[400], place[80];
    const int seeds = by_norms ? 1 : SEEDS;
    struct samples *s = calloc(1, sizeof *s);
    snprintf(text, sizeof text, "%s%s%s", SIZES, words, by_norms ? " krylov=8" : "");
    lnstab_model *m = new_model(text);
    for (int seed = 0; seed < seeds; ++seed) {
        ck_good(lnstab_model_message(m), lnstab_model_init(m, (uint64_t)seed));
        forward(m, (uint64_t)seed, 1, TOKENS);
        backward(m, seed, TOKENS);
        measure_all(m, seed, by_norms, s);
        backward(m, seed, 1);
        measure_all(m, seed, by_norms, s);
    }
    for (int32_t j = 0; j < lnstab_table_count("claims"); ++j) {
        for (int k = 0; spell(lnstab_table_text("claims", j, "arguments"), k, place); ++k) {
            if (s->at[j][k].count == seeds) {
                judge(lnstab_table_text("claims", j, "name"),
                      lnstab_table_text("claims", j, "kind"),
                      lnstab_table_text("claims", j, "relation"), place, &s->at[j][k]);
                ++covered[j];
            }
        }
    }
    lnstab_model_destroy(m);
    free(s);
}

START_TEST(test_relations) {
    static const char *const words[] = {"placement=post heads=1 bias=0 out_proj=0 eps=0",
                                        "placement=pre heads=1 bias=0 out_proj=0 eps=0",
                                        "placement=peri heads=4"};
    int covered[CLAIMS] = {0};
    ck_assert_int_le(lnstab_table_count("claims"), CLAIMS);
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        judge_all(words[i], 0, covered);
        judge_all(words[i], 1, covered);
    }
    for (int32_t j = 0; j < lnstab_table_count("claims"); ++j) {
        const char *needed = lnstab_table_text("claims", j, "needs");
        ck_assert_msg(covered[j] > 0 || !*needed || strstr(needed, "pairs"), "%s is never measured",
                      lnstab_table_text("claims", j, "name"));
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("claims");
    TCase *cases = tcase_create("claims");
    tcase_set_timeout(cases, 300);
    tcase_add_test(cases, test_arguments);
    tcase_add_test(cases, test_what_must_have_been_done);
    tcase_add_test(cases, test_keys);
    tcase_add_test(cases, test_relations);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
