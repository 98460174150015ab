#include "model/keys.h"

#include "model/preset.h"

/* The limits are written once: the text of the table is made from the numbers that are checked. */
#define INTEGER(key, low, high, otherwise, text)                                                   \
    {                                                                                              \
        .name = key, .type = LNSTAB__INTEGER, .integer_min = low, .integer_max = high,             \
        .integer_default = otherwise, .range = #low ".." #high, .default_text = #otherwise,        \
        .help = text                                                                               \
    }
#define DERIVED_INTEGER(key, low, high, otherwise, text)                                           \
    {                                                                                              \
        .name = key, .type = LNSTAB__INTEGER, .integer_min = low, .integer_max = high,             \
        .range = #low ".." #high, .default_text = otherwise, .help = text                          \
    }
#define NUMBER(key, low, high, otherwise, text)                                                    \
    {                                                                                              \
        .name = key, .type = LNSTAB__NUMBER, .number_min = low, .number_max = high,                \
        .number_default = otherwise, .range = #low ".." #high, .default_text = #otherwise,         \
        .help = text                                                                               \
    }
#define CHOICE(key, words, place, word, text)                                                      \
    {                                                                                              \
        .name = key, .type = LNSTAB__CHOICE, .integer_default = place, .range = words,             \
        .default_text = word, .help = text                                                         \
    }
#define RULE(key, other_name, text)                                                                \
    {                                                                                              \
        .name = key, .alias = other_name, .type = LNSTAB__RULE, .range = "finite",                 \
        .default_text = "of the placement", .help = text                                           \
    }
#define PLACED(key, text) DERIVED_INTEGER(key, 0, 1, "of the placement", text)

#define FIXED_RULE(key, factor, text)                                                              \
    {                                                                                              \
        .name = key, .type = LNSTAB__RULE, .number_default = factor, .range = "finite",            \
        .default_text = #factor, .help = text                                                      \
    }
#define SCHEMES "xavier_normal xavier_uniform lecun_normal unit_normal gpt2 bert olmo2"

static const struct lnstab__key keys[LNSTAB__KEYS] = {
    [LNSTAB__KEY_PRESET] =
        CHOICE("preset", LNSTAB__PRESETS, 0, "none",
               "a known model: defaults of other keys; see the table of presets"),
    [LNSTAB__KEY_PLACEMENT] =
        CHOICE("placement", "none post pre peri output-norm deepnorm ln-scaling mix custom", 1,
               "post", "where the norms sit; see the table of placements"),
    [LNSTAB__KEY_LAYERS] =
        INTEGER("layers", 1, 100000, 6, "L, each an attention and an FFN sublayer"),
    [LNSTAB__KEY_WIDTH] = INTEGER("width", 1, 1048576, 512, "d, the width of the residual stream"),
    [LNSTAB__KEY_FFN_WIDTH] =
        DERIVED_INTEGER("ffn_width", 1, 4194304, "4 width", "d_ff, the width inside the FFN"),
    [LNSTAB__KEY_HEADS] = INTEGER("heads", 1, 1048576, 1, "attention heads; divides width"),
    [LNSTAB__KEY_KV_HEADS] = DERIVED_INTEGER("kv_heads", 1, 1048576, "as heads",
                                             "heads of keys and values; divides heads"),
    [LNSTAB__KEY_VOCAB] = INTEGER("vocab", 1, 16777216, 1000, "V, tokens of the table and classes"),
    [LNSTAB__KEY_MAX_BATCH] = INTEGER("max_batch", 1, 16777216, 1, "largest B of a forward"),
    [LNSTAB__KEY_MAX_TOKENS] = INTEGER("max_tokens", 1, 16777216, 64, "largest T of a forward"),
    [LNSTAB__KEY_DTYPE] =
        CHOICE("dtype", "float32 float64 bfloat16 float16", 0, "float32",
               "element type of every tensor; the last two: of a host's rows only"),
    [LNSTAB__KEY_NORM] =
        CHOICE("norm", "layer rms", 0, "layer", "LayerNorm or RMSNorm, everywhere"),
    [LNSTAB__KEY_EPS] = NUMBER("eps", 0, 1e300, 1e-5, "added to the variance, inside the root"),
    [LNSTAB__KEY_NORM_IN] = PLACED("norm_in", "a norm before F"),
    [LNSTAB__KEY_NORM_OUT] = PLACED("norm_out", "a norm after F, before the sum"),
    [LNSTAB__KEY_NORM_RES] = PLACED("norm_res", "a norm after the sum"),
    [LNSTAB__KEY_FINAL_NORM] = PLACED("final_norm", "a norm after the last layer"),
    [LNSTAB__KEY_EMBED_NORM] = INTEGER("embed_norm", 0, 1, 0, "a norm before the first layer"),
    [LNSTAB__KEY_KAPPA] = RULE("kappa", 0, "factor on the input of F, after its norm"),
    [LNSTAB__KEY_ALPHA] = RULE("alpha", 0, "factor on the residual stream in the sum"),
    [LNSTAB__KEY_BETA] = RULE("beta", "dt", "factor on the branch in the sum, the residual step"),
    [LNSTAB__KEY_GAIN_QK] = RULE(
        "gain_qk", 0, "factor on the initial W_Q and W_K; 0 makes attention the plain average"),
    [LNSTAB__KEY_GAIN_V] = RULE("gain_v", 0, "factor on the initial W_V"),
    [LNSTAB__KEY_GAIN_O] = RULE("gain_o", 0, "factor on the initial W_O"),
    [LNSTAB__KEY_GAIN_W1] = RULE("gain_w1", 0, "factor on the initial W_1 and W_3"),
    [LNSTAB__KEY_GAIN_W2] = RULE("gain_w2", 0, "factor on the initial W_2"),
    [LNSTAB__KEY_MIX_FRACTION] =
        NUMBER("mix_fraction", 0, 1, 0.5, "placement=mix: the part of the layers that is post"),
    [LNSTAB__KEY_INIT] = CHOICE("init", SCHEMES, 0, "xavier_normal",
                                "initial weights of the layers, each matrix by its own fan"),
    [LNSTAB__KEY_HEAD_INIT] =
        CHOICE("head_init", SCHEMES, 2, "lecun_normal", "initial weights of the head"),
    [LNSTAB__KEY_EMBED_INIT] =
        CHOICE("embed_init", SCHEMES, 3, "unit_normal", "initial tables of tokens and positions"),
    [LNSTAB__KEY_GAIN_EMBED] =
        FIXED_RULE("gain_embed", 1, "factor on the initial tables, with l = 1"),
    [LNSTAB__KEY_BIAS] = INTEGER("bias", 0, 1, 1, "biases of the linear maps"),
    [LNSTAB__KEY_OUT_PROJ] = INTEGER("out_proj", 0, 1, 1, "W_O after the heads"),
    [LNSTAB__KEY_CAUSAL] =
        INTEGER("causal", 0, 1, 0, "a token attends to itself and those before it"),
    [LNSTAB__KEY_QK_NORM] = CHOICE("qk_norm", "none head full", 0, "none",
                                   "a norm on queries and keys, each head's own or the whole row"),
    [LNSTAB__KEY_SOFT_CAP] = NUMBER(
        "soft_cap", 0, 1e300, 0, "scores s become cap tanh(s/cap) before the softmax; 0: no cap"),
    [LNSTAB__KEY_ACTIVATION] = CHOICE("activation", "relu gelu gelu_tanh silu", 0, "relu",
                                      "of the FFN; gelu is the one by erf"),
    [LNSTAB__KEY_GATED] = INTEGER("gated", 0, 1, 0, "W_2 (act(W_1 x) W_3 x): with silu, SwiGLU"),
    [LNSTAB__KEY_INPUT] = CHOICE("input", "tokens embedded", 0, "tokens",
                                 "token ids through a table, or rows as given"),
    [LNSTAB__KEY_EMBED_SCALE] =
        NUMBER("embed_scale", 0, 1e300, 1, "factor on the rows of the table"),
    [LNSTAB__KEY_POSITIONS] = CHOICE("positions", "none learned sinusoidal rotary", 0, "none",
                                     "added to the embeddings, or turning queries and keys"),
    [LNSTAB__KEY_ROTARY_BASE] =
        NUMBER("rotary_base", 1, 1e300, 10000, "of the angles base^(-2i/head_dim)"),
    [LNSTAB__KEY_HEAD] = CHOICE("head", "none separate tied", 1, "separate",
                                "the map to the logits; tied: the table of tokens"),
    [LNSTAB__KEY_IGNORE_INDEX] = INTEGER("ignore_index", -2147483648, 2147483647, -100,
                                         "the target that the loss does not count"),
    [LNSTAB__KEY_LABEL_SMOOTHING] =
        NUMBER("label_smoothing", 0, 1, 0, "the share of the uniform distribution in a target"),
    [LNSTAB__KEY_GRADIENTS] = INTEGER("gradients", 0, 1, 1, "room for the gradients of parameters"),
    [LNSTAB__KEY_GRADIENTS_OF] = CHOICE(
        "gradients_of", "all w_2", 0, "all",
        "the parameters that have gradients: each, or W_2 of the FFNs alone, below the first "
        "of which backward does not go"),
    [LNSTAB__KEY_GRADIENTS_FROM] =
        INTEGER("gradients_from", 0, 100000, 0,
                "the layer whose input backward ends at, below which there are no "
                "gradients; 0: none, it goes on to the tables"),
    [LNSTAB__KEY_KEEP_STATES] =
        INTEGER("keep_states", 0, 2, 0,
                "0: the states backward needs; 1: every named state; 2: their gradients too"),
    [LNSTAB__KEY_RECOMPUTE] = CHOICE(
        "recompute", "none attention nonlinear blocks", 0, "none",
        "what backward makes anew to save memory: attention weights; with them what no linear map "
        "gives; or all inside a sublayer"),
    [LNSTAB__KEY_KRYLOV] =
        INTEGER("krylov", 0, 512, 0,
                "room for so many Lanczos vectors, for singular values and norms "
                "of weights; 0: none, else 2 at least"),
    [LNSTAB__KEY_THREADS] = INTEGER(
        "threads", 1, 256, 1, "threads of a model, the caller's among them, for all but products"),
    [LNSTAB__KEY_SPLIT_PRODUCTS] =
        INTEGER("split_products", 0, 1, 0,
                "threads share matrix products too: for a BLAS that is set to one thread"),
};

const struct lnstab__key *lnstab__key_at(int id) {
    return &keys[id];
}

int lnstab__key_find(const char *name, size_t length) {
    for (int id = 0; id < LNSTAB__KEYS; ++id) {
        if (lnstab__text_is(name, length, keys[id].name) ||
            (keys[id].alias && lnstab__text_is(name, length, keys[id].alias))) {
            return id;
        }
    }
    return -1;
}

const char *lnstab__key_type_name(enum lnstab__key_type type) {
    static const char *const names[] = {"integer", "number", "choice", "rule"};
    return names[type];
}

int lnstab__choice_find(const struct lnstab__key *key, const char *word, size_t length) {
    if (key == &keys[LNSTAB__KEY_PLACEMENT]) {
        return lnstab__placement_find(word, length);
    }
    const char *rest = key->range;
    for (int place = 0;; ++place) {
        struct lnstab__word w = lnstab__text_next_word(&rest);
        if (w.length == 0) {
            return -1;
        }
        if (lnstab__words_equal(w, (struct lnstab__word){word, length})) {
            return place;
        }
    }
}

struct lnstab__word lnstab__choice_word(const struct lnstab__key *key, int64_t place) {
    const char *rest = key->range;
    struct lnstab__word w = lnstab__text_next_word(&rest);
    for (int64_t i = 0; i < place; ++i) {
        w = lnstab__text_next_word(&rest);
    }
    return w;
}
