#include "verify.h"

#include "inputs.h"
#include "verify_scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a model has to have done for a claim to be measured. */
enum pass { PASS_WHOLE, PASS_ONE_SEQUENCE, PASS_ONE_TOKEN, PASSES };

/* A model while it is measured. */
struct subject {
    const struct verify *v;
    const struct variant *variant;
    lnstab_config *c;
    lnstab_model *m;
    int64_t layers, weights;
    struct inputs in;
    int32_t *one_target; /* [B T], all but one not counted */
    enum pass pass;
    struct sides *out;
};

static enum pass pass_of(const struct variant *variant, const struct claim *c) {
    return claim_needs(c, "one-token")                             ? PASS_ONE_TOKEN
           : claim_needs(c, "one-sequence") || variant->batch == 1 ? PASS_ONE_SEQUENCE
                                                                   : PASS_WHOLE;
}

static bool run_pass(void *user, lnstab_model *m) {
    const struct subject *s = user;
    const int32_t *target = s->pass == PASS_ONE_TOKEN ? s->one_target : s->in.target;
    int64_t batch = s->pass == PASS_WHOLE ? s->variant->batch : 1;
    bool single = lnstab_tensor_dtype(lnstab_model_tensor_at(m, 0)) == LNSTAB_FLOAT32;
    const void *x = single ? (const void *)s->in.rounded : s->in.x;
    double loss;
    return lnstab_model_forward_embedded(m, batch, s->v->tokens, x, NULL) == LNSTAB_OK &&
           lnstab_model_zero_grads(m) == LNSTAB_OK &&
           lnstab_model_loss(m, target, &loss, NULL) == LNSTAB_OK &&
           lnstab_model_backward(m, NULL) == LNSTAB_OK;
}

/* Costs more than most claims, so that it is asked where it matters. */
static void note_health(struct subject *s) {
    static const char *const parts[] = {"states", "gradients"};
    for (int i = 0; i < 2; i++) {
        int64_t bad = 1;
        lnstab_model_health(s->m, parts[i], NULL, NULL, &bad, NULL, NULL);
        s->out->finite = s->out->finite && !bad;
    }
}

static int32_t ask(struct subject *s, const struct claim *c, int64_t place, struct side *side) {
    char arguments[CLAIM_ARGUMENTS];
    claim_spell(c, place, arguments);
    if (!scale_measures(c))
        return lnstab_claim_measure(s->m, c->name, arguments, &side->stated, &side->measured);
    int32_t status = lnstab_claim_predict(s->c, c->name, arguments, &side->stated);
    if (status == LNSTAB_OK && !scale_measure(c, s->m, place, run_pass, s, &side->measured))
        status = LNSTAB_ERROR_MEMORY;
    return status;
}

static const char *said_by(const struct subject *s, const struct claim *c) {
    const char *message =
        scale_measures(c) ? lnstab_config_message(s->c) : lnstab_model_message(s->m);
    return *message ? message : "no memory for a model's second run";
}

/* What stands before the reason in the message of a claim that does not cover a model. */
static const char *const before_reasons[] = {" does not cover this: ", " has ", " "};

static char *copy_reason(const char *message) {
    const char *begin = message, *found = NULL;
    for (size_t i = 0; !found && i < sizeof before_reasons / sizeof before_reasons[0]; i++)
        if ((found = strstr(message, before_reasons[i])))
            begin = found + strlen(before_reasons[i]);
    char *copy = malloc(strlen(begin) + 1);
    if (copy)
        strcpy(copy, begin);
    return copy;
}

static bool ask_claim(struct subject *s, int number, char message[MESSAGE_SIZE]) {
    const struct claim *c = &s->v->claim[number];
    struct side *side = s->out->side + verify_side(s->v, number, s->layers);
    bool large = c->costly && s->weights > s->v->weights;
    if (large && !s->variant->asks_large)
        s->out->reason[number] = copy_reason(" more weights than --weights allows");
    int64_t places = claim_places(c, s->layers), last_sublayer = places - 2;
    for (int64_t i = 0; i < places; i++) {
        side[i] = (struct side){NAN, NAN};
        if (large && (i != last_sublayer || !s->variant->asks_large))
            continue;
        int32_t status = ask(s, c, claim_place(c, s->layers, i), &side[i]);
        if (status == LNSTAB_OK && isnan(side[i].measured))
            note_health(s);
        if (status == LNSTAB_ERROR_UNAVAILABLE && !s->out->reason[number])
            s->out->reason[number] = copy_reason(said_by(s, c));
        if (status != LNSTAB_OK && status != LNSTAB_ERROR_UNAVAILABLE) {
            snprintf(message, MESSAGE_SIZE, "%s: %s", c->name, said_by(s, c));
            return false;
        }
    }
    return true;
}

static bool measure_pass(struct subject *s, char message[MESSAGE_SIZE]) {
    bool ran = false, good = true;
    for (int i = 0; good && i < s->v->claims; i++) {
        const struct claim *c = &s->v->claim[i];
        if (!variant_asks(s->variant, c) || pass_of(s->variant, c) != s->pass)
            continue;
        /* A second run leaves weights as they were, but not states. */
        if (!ran && !(ran = run_pass(s, s->m))) {
            snprintf(message, MESSAGE_SIZE, "%s", lnstab_model_message(s->m));
            return false;
        }
        good = ask_claim(s, i, message);
        ran = !scale_measures(c);
    }
    return good;
}

static bool make_inputs(struct subject *s, uint64_t seed, int64_t width) {
    int64_t rows = s->variant->batch * s->v->tokens, ignored = -1;
    s->one_target = malloc((size_t)rows * sizeof *s->one_target);
    lnstab_config_get_i64(s->c, "ignore_index", &ignored);
    if (!s->one_target || !inputs_gaussian(&s->in, rows, width, s->v->vocab, seed))
        return false;
    for (int64_t i = 0; i < rows; i++)
        s->one_target[i] = i == s->v->tokens / 2 ? s->in.target[i] : (int32_t)ignored;
    if (s->variant->change_inputs)
        s->variant->change_inputs(s->in.x, s->variant->batch, s->v->tokens, width);
    return true;
}

static bool make_room(struct subject *s) {
    size_t sides = verify_side(s->v, s->v->claims, s->layers);
    s->out->side = malloc((sides + 1) * sizeof *s->out->side);
    s->out->finite = true;
    s->out->reason = calloc((size_t)s->v->claims, sizeof *s->out->reason);
    for (size_t i = 0; s->out->side && i < sides; i++)
        s->out->side[i] = (struct side){NAN, NAN};
    return s->out->side && s->out->reason;
}

bool verify_model(const struct verify *v, int run, struct cell at, lnstab_config *c,
                  lnstab_model *m, struct sides *out, char message[MESSAGE_SIZE]) {
    int variant = verify_variant(v, run);
    uint64_t seed = v->run.first_seed + (uint64_t)(run - verify_first_run(v, variant));
    struct subject s = {.v = v,
                        .variant = &variants[variant],
                        .c = c,
                        .m = m,
                        .layers = v->grid.depth[at.depth],
                        .weights = verify_weights(v, at),
                        .out = out};
    bool good = make_room(&s) && make_inputs(&s, seed, v->grid.width[at.width]);
    if (!good)
        snprintf(message, MESSAGE_SIZE, "no memory for the inputs");
    variant_change(s.variant, m, seed);
    for (int pass = 0; good && pass < PASSES; pass++) {
        s.pass = (enum pass)pass;
        good = measure_pass(&s, message);
    }
    inputs_free(&s.in);
    free(s.one_target);
    return good;
}
