#include "study.h"

#include "json.h"

#include <math.h>

static void write_array(struct json *j, const char *key, const struct study *s,
                        enum profile_quantity q,
                        double (*of)(const struct study *s, enum profile_quantity q, int64_t i)) {
    json_open(j, key, '[');
    for (int64_t i = 0; i < profile_count(q, s->layers); i++)
        json_number(j, NULL, of(s, q, i));
    json_close(j, ']');
}

static double mean(const struct study *s, enum profile_quantity q, int64_t i) {
    return study_measured(s, q, i).mean;
}

static double error(const struct study *s, enum profile_quantity q, int64_t i) {
    return study_measured(s, q, i).error;
}

static void write_study(struct json *j, const struct study *s, int seeds) {
    json_open(j, NULL, '{');
    json_text(j, "design", s->label);
    json_text(j, "assignments", s->assignments);
    json_integer(j, "layers", s->layers);
    json_integer(j, "width", s->width);
    json_integer(j, "tokens", s->tokens);
    json_text(j, "not_covered", s->missing);
    for (int q = 0; q < PROFILE_QUANTITIES; q++) {
        json_open(j, profile_rows[q].name, '{');
        write_array(j, "predicted", s, (enum profile_quantity)q, study_predicted);
        if (seeds > 0) {
            write_array(j, "measured", s, (enum profile_quantity)q, mean);
            write_array(j, "standard_error", s, (enum profile_quantity)q, error);
        }
        json_close(j, '}');
    }
    json_close(j, '}');
}

void study_json(FILE *out, const struct study *studies, int count, int seeds) {
    struct json j = {out, 0, true};
    json_open(&j, NULL, '{');
    json_integer(&j, "seeds", seeds);
    json_open(&j, "designs", '[');
    for (int i = 0; i < count; i++)
        write_study(&j, &studies[i], seeds);
    json_close(&j, ']');
    json_close(&j, '}');
}
