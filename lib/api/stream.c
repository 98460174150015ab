#include "api/stream.h"

int32_t lnstab__require_forward(lnstab_model *m) {
    return m->batch.has_forward
               ? LNSTAB_OK
               : lnstab__fail(&m->message, LNSTAB_ERROR_SEQUENCE,
                              "there has been no forward since the weights were set");
}

int32_t lnstab__find_positions(lnstab_model *m, const char *from, const char *to, int at[2]) {
    const char *const names[] = {from, to};
    for (int i = 0; i < 2; ++i) {
        at[i] = lnstab__model_position(m, names[i]);
        if (at[i] < 0) {
            return lnstab__fail(&m->message, LNSTAB_ERROR_NAME,
                                "'%.60s' is not a state of the stream (embed.out, layer.1.attn.in, "
                                "layer.1.attn.out, ..., output)",
                                names[i]);
        }
    }
    return at[0] <= at[1] ? lnstab__require_forward(m)
                          : lnstab__fail(&m->message, LNSTAB_ERROR_ARGUMENT,
                                         "from '%.60s' comes after to '%.60s'", from, to);
}
