#ifndef LNSTAB_MODEL_RULE_TEXT_H
#define LNSTAB_MODEL_RULE_TEXT_H

#include "base/text.h"
#include "base/writer.h"
#include "model/placement.h"

/* A rule as text: c[*L^p][*l^q], a factor that is left out having power 0. */
int lnstab__rule_parse(struct lnstab__word text, struct lnstab__rule *out);
void lnstab__rule_write(struct lnstab__writer *w, struct lnstab__rule rule);

#endif
