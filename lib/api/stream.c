#include "api/stream.h"

int32_t lnstab__require_forward(lnstab_model *m) {
    return m->batch.has_forward
               ? LNSTAB_OK
               : lnstab__fail(&m->message, LNSTAB_ERROR_SEQUENCE,
                              "there has been no forward since the weights were set");
}

int32_t lnstab__require_reached(lnstab_model *m, int position, const char *what) {
    char start[48];
    if (m->batch.start <= position) {
        return LNSTAB_OK;
    }
    lnstab__model_position_name(m, m->batch.start, start);
    return lnstab__fail(&m->message, LNSTAB_ERROR_SEQUENCE,
                        "the last forward went on from %s, which comes after %.60s", start, what);
}

int32_t lnstab__find_position(lnstab_model *m, const char *name, int *position) {
    *position = lnstab__model_position(m, name);
    return *position >= 0 ? LNSTAB_OK
                          : lnstab__fail(&m->message, LNSTAB_ERROR_NAME,
                                         "'%.60s' is not a state of the stream (embed.out, "
                                         "layer.1.attn.in, layer.1.attn.out, ..., output)",
                                         name);
}

int32_t lnstab__find_positions(lnstab_model *m, const char *from, const char *to, int at[2]) {
    int32_t status = lnstab__find_position(m, from, &at[0]);
    status = status == LNSTAB_OK ? lnstab__find_position(m, to, &at[1]) : status;
    if (status == LNSTAB_OK && at[0] > at[1]) {
        status = lnstab__fail(&m->message, LNSTAB_ERROR_ARGUMENT,
                              "from '%.60s' comes after to '%.60s'", from, to);
    }
    status = status == LNSTAB_OK ? lnstab__require_forward(m) : status;
    return status == LNSTAB_OK ? lnstab__require_reached(m, at[0], from) : status;
}
