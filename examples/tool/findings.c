#include "findings.h"

bool findings_make(struct findings *f, const struct sweep *s, const struct sweep *gaussian) {
    *f = (struct findings){0};
    return summary_make(&f->summary, s) &&
           (!gaussian->runs || summary_make(&f->gaussian, gaussian)) &&
           fits_make(&f->fits, &f->summary) && verdicts_make(&f->verdicts, &f->summary, &f->fits);
}

void findings_free(struct findings *f) {
    verdicts_free(&f->verdicts);
    fits_free(&f->fits);
    summary_free(&f->summary);
    summary_free(&f->gaussian);
}
