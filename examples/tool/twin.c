#include "twin.h"

#include "usage.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* What the mean field wants of each key. A value that begins like another one is as good: both Xavier
 * initialisations have the same variance. */
static const struct wish {
    const char *key, *value, *as_good;
} wishes[] = {
    {"gain_qk", "0", NULL},
    {"causal", "0", NULL},
    {"init", "xavier_normal", "xavier"},
    {"activation", "relu", NULL},
    {"gated", "0", NULL},
    {"qk_norm", "none", NULL},
    {"soft_cap", "0", NULL},
    {"positions", "none", NULL},
    {"input", "embedded", NULL},
    {"head", "separate", NULL},
    {"label_smoothing", "0", NULL},
    {"recompute", "none", NULL},
};

static void append(char text[TWIN_TEXT], const char *between, const char *format, ...)
    PRINTF_LIKE(3, 4);

static void append(char text[TWIN_TEXT], const char *between, const char *format, ...) {
    size_t used = strlen(text);
    va_list arguments;
    if (used)
        used += (size_t)snprintf(text + used, TWIN_TEXT - used, "%s", between);
    va_start(arguments, format);
    vsnprintf(text + used, TWIN_TEXT - used, format, arguments);
    va_end(arguments);
}

static void change(struct twin *t, const char *key, const char *now, const char *was) {
    append(t->assignments, " ", "%s=%s", key, now);
    append(t->changed, ", ", "%s=%s (not %s)", key, now, was);
}

static bool is_so(lnstab_config *c, const struct wish *w, char was[96]) {
    *was = '\0';
    return lnstab_config_get_str(c, w->key, was, 96, NULL) == LNSTAB_OK &&
           (strcmp(was, w->value) == 0 ||
            (w->as_good && strncmp(was, w->as_good, strlen(w->as_good)) == 0));
}

/* Keys of single layers count over a key of all, but for a later one that covers them. */
static void grant(lnstab_config *c, const struct wish *w, struct twin *t) {
    char was[96], now[96], assignment[96];
    if (is_so(c, w, was))
        return;
    change(t, w->key, w->value, *was ? was : "so in some layers");
    snprintf(assignment, sizeof assignment, "%s=%s", w->key, w->value);
    if (lnstab_config_set(c, assignment) == LNSTAB_OK && !is_so(c, w, now))
        append(t->assignments, " ", "layer.1-L.%s", assignment);
}

static void share_no_heads(lnstab_config *c, struct twin *t) {
    char heads[32] = "", kv_heads[32] = "";
    lnstab_config_get_str(c, "heads", heads, sizeof heads, NULL);
    lnstab_config_get_str(c, "kv_heads", kv_heads, sizeof kv_heads, NULL);
    if (strcmp(heads, kv_heads) != 0)
        change(t, "kv_heads", heads, kv_heads);
}

static void shrink_eps(lnstab_config *c, struct twin *t) {
    double eps = 0;
    char was[32];
    lnstab_config_get_f64(c, "eps", &eps);
    snprintf(was, sizeof was, "%g", eps);
    if (eps > 1e-5)
        change(t, "eps", "1e-5", was);
}

void twin_of(lnstab_config *c, struct twin *out) {
    *out = (struct twin){"", ""};
    for (size_t i = 0; i < sizeof wishes / sizeof wishes[0]; i++)
        grant(c, &wishes[i], out);
    share_no_heads(c, out);
    shrink_eps(c, out);
}
