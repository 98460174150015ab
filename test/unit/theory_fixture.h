#ifndef LNSTAB_TEST_UNIT_THEORY_FIXTURE_H
#define LNSTAB_TEST_UNIT_THEORY_FIXTURE_H

#include <stdio.h>

#include "model/spec.h"
#include "support/fixture.h"
#include "support/handles.h"
#include "unit/harness.h"

/* Lines of test/data/theory.txt (test/parity/README.md has the format). */

/* Blanks for the commas between the keys that a placement of the fixture goes on with. */
static inline void set_more(lnstab_config *c, const char *keys) {
    char words[400];
    ck_assert_int_lt(snprintf(words, sizeof words, "%s", keys), sizeof words);
    for (char *at = words; (at = strchr(at, ',')) != NULL;) {
        *at = ' ';
    }
    ck_good(lnstab_config_message(c), lnstab_config_set(c, words));
}

/* The theory setting, of a placement as the fixture names it, with L layers and d_ff = rho d. */
static inline lnstab_config *theory_config(const char *placement, int64_t L, double rho,
                                           int64_t d) {
    char words[400];
    const size_t name = strcspn(placement, ",+");
    const int custom = strncmp(placement, "custom", 6) == 0, projected = placement[name] == '+';
    snprintf(
        words, sizeof words,
        "placement=%.*s layers=%lld width=%lld ffn_width=%lld heads=1 bias=0 gain_qk=0 causal=0 "
        "eps=0 "
        "out_proj=%d %s",
        (int)name, placement, (long long)L, (long long)d, (long long)(rho * (double)d), projected,
        custom ? "norm_in=1 norm_out=1 norm_res=1 final_norm=1 alpha=0.8 "
                 "beta=0.7*L^-0.5*l^0.25 kappa=1.3"
               : "");
    lnstab_config *c = new_config(words);
    set_more(c, placement + strcspn(placement, ","));
    return c;
}

/* 1e-12 of the value: the recursion takes 2 L <= 48 steps of some ten roundings each. */
static inline void assert_theory(const struct fixture *f, double got, double wanted) {
    if (!(fabs(got - wanted) <= 1e-12 * fabs(wanted))) {
        ck_abort_msg("%s %s %s %s %s %s: %.17g, not %.17g", f->words[0], f->words[1], f->words[2],
                     f->words[3], f->words[4], f->count > 5 ? f->words[5] : "", got, wanted);
    }
}

/* Hands each line that starts with kind to check; fails if there are fewer than `least`. */
static inline void for_each_line(const char *kind, int least,
                                 void (*check)(const struct fixture *f)) {
    struct fixture f = fixture_open("theory.txt");
    int count = 0;
    while (fixture_next(&f)) {
        if (fixture_is(&f, kind)) {
            check(&f);
            ++count;
        }
    }
    fixture_close(&f);
    ck_assert_int_ge(count, least);
}

#endif
