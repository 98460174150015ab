/* model/preset.h: known models as assignments. */

#include "model/preset.h"

#include <string.h>

#include "model/model.h"
#include "support/handles.h"
#include "support/main.h"

static lnstab_config config;

static lnstab_config *fresh(void) {
    memset(&config, 0, sizeof config);
    lnstab__config_reset(&config);
    return &config;
}

/* The choice of the key lists the table's names, in its order, and nothing else. */
START_TEST(test_names_are_the_choices) {
    const char *rest = lnstab__key_at(LNSTAB__KEY_PRESET)->range;
    ck_assert_str_eq(rest, LNSTAB__PRESETS);
    for (int i = 0; i < lnstab__preset_count(); ++i) {
        const struct lnstab__word w = lnstab__text_next_word(&rest);
        ck_assert_msg(lnstab__text_is(w.at, w.length, lnstab__preset_at(i)->name), "%s",
                      lnstab__preset_at(i)->name);
    }
    ck_assert_uint_eq(lnstab__text_next_word(&rest).length, 0);
}
END_TEST

/* What lnstab__config_with_preset relies on: every text is taken, and every model can be. */
START_TEST(test_all_resolve) {
    for (int i = 0; i < lnstab__preset_count(); ++i) {
        const struct lnstab__preset *p = lnstab__preset_at(i);
        struct lnstab__spec spec;
        lnstab_config *c = fresh();
        ck_assert_msg(lnstab__config_assign(c, p->assignments) == LNSTAB_OK, "%s: %s", p->name,
                      c->message.text);
        ck_assert_int_eq(c->set.values[LNSTAB__KEY_PRESET].is_set, 0); /* none names another */
        ck_assert_int_eq(lnstab__spec_resolve(c, &spec), LNSTAB_OK);
        ck_assert_uint_lt(lnstab__model_bytes(&spec, NULL), SIZE_MAX);
        ck_assert_int_eq(*p->source != '\0', i > 0);
    }
    ck_assert_str_eq(lnstab__preset_at(0)->name, "none");
    ck_assert_str_eq(lnstab__preset_at(0)->assignments, "");
}
END_TEST

static struct lnstab__key_name everywhere(int id) {
    return (struct lnstab__key_name){.id = id, .scope = {1, 0, LNSTAB__ATTN | LNSTAB__FFN}};
}

/* preset=x says the same as its assignments, key by key, whether or not each is set. */
START_TEST(test_a_preset_is_its_assignments) {
    for (int i = 0; i < lnstab__preset_count(); ++i) {
        struct lnstab__value by_name[LNSTAB__KEYS], by_words[LNSTAB__KEYS];
        lnstab_config *c = fresh();
        ck_assert_int_eq(lnstab__config_assign(c, lnstab__preset_at(i)->assignments), LNSTAB_OK);
        for (int id = 0; id < LNSTAB__KEYS; ++id) {
            ck_assert_int_eq(lnstab__config_value(c, everywhere(id), &by_words[id]), LNSTAB_OK);
        }
        c = fresh();
        c->set.values[LNSTAB__KEY_PRESET].is_set = 1;
        c->set.values[LNSTAB__KEY_PRESET].integer = i;
        for (int id = LNSTAB__KEY_PRESET + 1; id < LNSTAB__KEYS; ++id) {
            ck_assert_int_eq(lnstab__config_value(c, everywhere(id), &by_name[id]), LNSTAB_OK);
            ck_assert_msg(by_name[id].integer == by_words[id].integer &&
                              by_name[id].rule.factor == by_words[id].rule.factor &&
                              by_name[id].rule.depth_power == by_words[id].rule.depth_power &&
                              by_name[id].rule.layer_power == by_words[id].rule.layer_power,
                          "%s: %s", lnstab__preset_at(i)->name, lnstab__key_at(id)->name);
        }
    }
}
END_TEST

/* A key that is set counts before the preset, a preset before the placement, in any order of words; a
 * preset that is replaced leaves nothing behind. */
START_TEST(test_order_does_not_matter) {
    static const char *const orders[] = {
        "preset=gpt2-124m layers=2 placement=peri norm=rms",
        "layers=2 preset=gpt2-124m placement=peri norm=rms",
        "layers=2 placement=peri norm=rms preset=gpt2-124m",
        "preset=olmo2-block layers=2 placement=peri norm=rms preset=bert-large preset=gpt2-124m"};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; ++i) {
        struct lnstab__spec s;
        lnstab_config *c = fresh();
        ck_assert_int_eq(lnstab__config_assign(c, orders[i]), LNSTAB_OK);
        ck_assert_msg(lnstab__spec_resolve(c, &s) == LNSTAB_OK, "%s", c->message.text);
        ck_assert(s.layers == 2 && s.norm == LNSTAB__NORM_RMS && s.width == 768 && s.heads == 12);
        ck_assert(s.kv_heads == 12 && s.ffn_width == 3072 && s.vocab == 50257 && s.causal);
        ck_assert(s.rows[0].norm_in && s.rows[0].norm_out && !s.rows[0].norm_res && s.final_norm);
        ck_assert(s.bias && !s.gated && s.qk_norm == LNSTAB__QK_NORM_NONE);
        ck_assert(s.activation == LNSTAB__GELU_TANH && s.head == LNSTAB__HEAD_TIED);
        ck_assert_str_eq(s.placement->name, "peri");
    }
}
END_TEST

int main(void) {
    static const TTest *tests[4];
    tests[0] = test_names_are_the_choices;
    tests[1] = test_all_resolve;
    tests[2] = test_a_preset_is_its_assignments;
    tests[3] = test_order_does_not_matter;
    return run_tests("preset", tests, 4);
}
