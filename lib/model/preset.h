#ifndef LNSTAB_MODEL_PRESET_H
#define LNSTAB_MODEL_PRESET_H

/* Known models as assignments. What a preset says is a default: a key that is set counts before it. */
struct lnstab__preset {
    const char *name, *assignments, *source;
};

/* The names of the table, as the choice of the key "preset" lists them. */
#define LNSTAB__PRESETS                                                                            \
    "none xiong2020-encoder bert-base bert-large gpt2-124m gpt2-355m gpt2-774m gpt2-1.5b "         \
    "olmo2-block gemma2-block"

int lnstab__preset_count(void);
const struct lnstab__preset *lnstab__preset_at(int i);

#endif
