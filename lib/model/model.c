#include "model/model.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"

void lnstab__model_reset(lnstab_model *m) {
    for (int32_t i = 0; i < m->parameter_count; ++i) {
        const struct lnstab_tensor *t = &m->tensors[i];
        if (!t->is_lent && t->init.distribution == LNSTAB__CONSTANT && t->init.value != 0) {
            lnstab__init_fill(&t->init, m->kernels, 0, lnstab__tensor_count(t), t->held.data);
        }
    }
    if (m->spec.positions == LNSTAB__SINUSOIDAL) {
        lnstab__position_fill_sinusoidal(&m->position, m->kernels, (size_t)m->spec.max_tokens);
    } else if (m->spec.positions == LNSTAB__ROTARY) {
        lnstab__rotary_fill(&m->rotary, (size_t)m->spec.max_tokens, m->spec.rotary_base);
    }
}

void lnstab__model_init(lnstab_model *m, uint64_t seed) {
    for (int32_t i = 0; i < m->parameter_count; ++i) {
        const struct lnstab_tensor *t = &m->tensors[i];
        lnstab__init_fill(&t->init, m->kernels, seed, lnstab__tensor_count(t), t->held.data);
    }
    m->batch.has_forward = m->batch.has_loss = 0;
    m->batch.backward = LNSTAB__BACKWARD_NONE;
}

/* "layer.3.x4" as the state that Xiong 2020 means by it; any other name, and one that the placement has no
 * such state for, as it is. */
static void resolve_paper_name(const lnstab_model *m, const char *name, char resolved[64]) {
    const char *digits = strncmp(name, "layer.", 6) == 0 ? name + 6 : "";
    char spelt[64];
    int64_t layer = 0;
    snprintf(resolved, 64, "%.63s", name);
    for (char x = '1'; lnstab__integer_parse(digits, strcspn(digits, "."), &layer) && x <= '5';
         ++x) {
        snprintf(spelt, sizeof spelt, "layer.%" PRId64 ".x%c", layer, x);
        if (strcmp(spelt, name) == 0) {
            const char *rest = lnstab__spec_paper_states(&m->spec, layer);
            struct lnstab__word word = {rest, 0};
            for (char i = '1'; i <= x; ++i) {
                word = lnstab__text_next_word(&rest);
            }
            if (word.length) {
                snprintf(resolved, 64, "layer.%" PRId64 ".%.*s", layer, (int)word.length, word.at);
            }
        }
    }
}

static const struct lnstab_tensor *find_exactly(const lnstab_model *m, const char *name) {
    for (int32_t i = 0; i < m->tensor_count; ++i) {
        if (strcmp(m->tensors[i].name, name) == 0) {
            return &m->tensors[i];
        }
    }
    return NULL;
}

const lnstab_tensor *lnstab__model_lookup(lnstab_model *m, const char *name) {
    char resolved[64];
    resolve_paper_name(m, name, resolved);
    const struct lnstab_tensor *t = find_exactly(m, resolved);
    if (!t) {
        lnstab__fail(&m->message, LNSTAB_ERROR_NAME,
                     "no tensor '%.60s' in a model of %" PRId64 " layers, placement=%s", name,
                     m->spec.layers, m->spec.placement->name);
    }
    return t;
}

const lnstab_tensor *lnstab__model_find(lnstab_model *m, const char *name) {
    const struct lnstab_tensor *t = lnstab__model_lookup(m, name);
    if (t && !t->held.data) {
        lnstab__fail(&m->message, LNSTAB_ERROR_UNAVAILABLE,
                     "%s is not kept: set keep_states=1 recompute=none", t->name);
        return NULL;
    }
    if (t) {
        lnstab__succeed(&m->message);
    }
    return t;
}

void lnstab__model_position_name(const lnstab_model *m, int position, char name[48]) {
    if (position == 0) {
        snprintf(name, 48, "embed.out");
    } else if (position <= 2 * m->spec.layers) {
        snprintf(name, 48, "layer.%d.%s.out", (position + 1) / 2, position % 2 ? "attn" : "ffn");
    } else {
        snprintf(name, 48, "output");
    }
}

int lnstab__model_position(const lnstab_model *m, const char *name) {
    const int last = (int)(2 * m->spec.layers);
    char own[48], in[48];
    for (int position = 0; position <= last + 1; ++position) {
        lnstab__model_position_name(m, position, own);
        snprintf(in, sizeof in, "layer.%d.%s.in", position / 2 + 1, position % 2 ? "ffn" : "attn");
        if (strcmp(name, own) == 0 || (position < last && strcmp(name, in) == 0)) {
            return position;
        }
    }
    return -1;
}
