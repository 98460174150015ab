#include "setting.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* W_Q = W_K = 0 makes attention the plain average; no W_O, no biases; W_emb ~ N(0, 1/d). */
static const char theory[] = "heads=1 bias=0 out_proj=0 gain_qk=0 eps=0 causal=0 max_batch=1 "
                             "init=xavier_normal head_init=lecun_normal dtype=float32";

/* Keys that the grid and the options decide. */
static const struct owner {
    const char *key, *option;
} owners[] = {
    {"placement", "--grid placement="},
    {"layers", "--grid L="},
    {"width", "--grid d="},
    {"ffn_width", "--grid rho="},
    {"max_tokens", "--tokens"},
    {"max_batch", "the measurement, one sequence at a time"},
    {"vocab", "--vocab"},
    {"input", "--text"},
    {"head", "the loss of Theorem 1"},
    {"gradients", "the measurement"},
    {"gradients_of", "the measurement"},
    {"gradients_from", "the measurement"},
    {"keep_states", "the measurement"},
    {"ignore_index", "the measurement"},
};

/* What theory and the donor of weights do not need is not held. */
static const struct {
    const char *keys;
    bool takes_text; /* token ids, where there is a text */
    bool is_of_last; /* gradients of the last layer alone */
} purposes[] = {
    [MEASURED] = {"keep_states=2", true, false},
    [MEASURED_LAST] = {"keep_states=2 gradients_of=w_2", true, true},
    [PREDICTED] = {"", false, false},
    [DRAWN] = {"gradients=0", true, false},
};

static bool apply(lnstab_config *c, const char *assignments, char message[MESSAGE_SIZE]) {
    if (lnstab_config_set(c, assignments) == LNSTAB_OK)
        return true;
    snprintf(message, MESSAGE_SIZE, "%s", lnstab_config_message(c));
    return false;
}

static bool apply_all(lnstab_config *c, const struct setting *s, struct cell at,
                      enum purpose purpose, char message[MESSAGE_SIZE]) {
    const struct grid *g = s->grid;
    char sizes[256];
    snprintf(sizes, sizeof sizes,
             "layers=%" PRId64 " width=%" PRId64 " ffn_width=%" PRId64 " max_tokens=%" PRId64
             " vocab=%" PRId64 " gradients_from=%" PRId64 " input=%s %s",
             g->depth[at.depth], g->width[at.width], grid_ffn_width(g, at), s->tokens, s->vocab,
             purposes[purpose].is_of_last ? g->depth[at.depth] : 0,
             s->from_text && purposes[purpose].takes_text ? "tokens" : "embedded",
             purposes[purpose].keys);
    return apply(c, theory, message) && apply(c, sizes, message) &&
           apply(c, s->assignments, message) &&
           apply(c, g->placement[at.placement].assignments, message);
}

bool setting_config(const struct setting *s, struct cell at, enum purpose purpose,
                    struct recycler *r, lnstab_config **out, char message[MESSAGE_SIZE]) {
    int32_t status =
        lnstab_config_create(r ? recycler_alloc : NULL, r ? recycler_release : NULL, r, out);
    if (status != LNSTAB_OK) {
        snprintf(message, MESSAGE_SIZE, "no memory for a configuration");
        return false;
    }
    if (apply_all(*out, s, at, purpose, message))
        return true;
    lnstab_config_destroy(*out);
    return false;
}

/* True if the words of text set key. */
static bool sets(const char *text, const char *key) {
    size_t length = strlen(key);
    for (const char *word = text; *(word += strspn(word, BLANKS)); word += strcspn(word, BLANKS))
        if (strncmp(word, key, length) == 0 && word[length] == '=')
            return true;
    return false;
}

static bool owned_keys_untouched(const char *text, const char *where) {
    for (size_t i = 0; i < sizeof owners / sizeof owners[0]; i++) {
        if (!sets(text, owners[i].key))
            continue;
        usage_error("%s may not set %s: %s decides it", where, owners[i].key, owners[i].option);
        return false;
    }
    return true;
}

bool setting_allowed(const struct setting *s) {
    if (!owned_keys_untouched(s->assignments, "--set"))
        return false;
    for (int p = 0; p < s->grid->placements; p++) {
        const char *attached = strchr(s->grid->placement[p].assignments, ' ');
        if (attached && !owned_keys_untouched(attached, "--grid"))
            return false;
    }
    return true;
}

static bool cell_possible(const struct setting *s, struct cell at) {
    char message[MESSAGE_SIZE];
    const char *label = s->grid->placement[at.placement].label;
    lnstab_config *c;
    size_t bytes;
    if (!setting_config(s, at, MEASURED, NULL, &c, message)) {
        usage_error("%s: %s", label, message);
        return false;
    }
    bool good = lnstab_model_size(c, &bytes) == LNSTAB_OK;
    if (!good)
        usage_error("%s, L=%" PRId64 ", d=%" PRId64 ": %s", label, s->grid->depth[at.depth],
                    s->grid->width[at.width], lnstab_config_message(c));
    lnstab_config_destroy(c);
    return good;
}

bool setting_possible(const struct setting *s) {
    for (int i = 0; i < grid_cells(s->grid); i++)
        if (!cell_possible(s, grid_cell(s->grid, i)))
            return false;
    return true;
}

/* The value of a key that the layers may differ in. Where they do, as in most of placement=mix, 0: the
 * last layers, which are measured, are pre there. */
static int64_t flag(lnstab_config *c, const char *key) {
    int64_t value = 0;
    return lnstab_config_get_i64(c, key, &value) == LNSTAB_OK ? value : 0;
}

/* N_res and the final norm remove the direction of the same state, N_out that of the branch, and
 * LayerNorm the mean besides. */
int setting_removed_directions(lnstab_config *c) {
    char norm[16] = "";
    int states = (flag(c, "final_norm") || flag(c, "norm_res")) + (flag(c, "norm_out") != 0);
    lnstab_config_get_str(c, "norm", norm, sizeof norm, NULL);
    return states + (states > 0 && strcmp(norm, "layer") == 0);
}
