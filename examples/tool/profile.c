#include "profile.h"

#include <stddef.h>

const struct profile_row profile_rows[PROFILE_QUANTITIES] = {
    [PROFILE_STATE] = {"state", "||x||^2/d", PROFILE_SUBLAYERS, "meanfield.state", false, false,
                       NULL},
    [PROFILE_COSINE] = {"cosine", "cosine", PROFILE_SUBLAYERS, "meanfield.state_cosine", false,
                        false, NULL},
    [PROFILE_SUM] = {"sum", "||sum||^2/d", PROFILE_SUBLAYERS, "meanfield.sum", false, false, NULL},
    [PROFILE_BRANCH] = {"branch", "||F||^2/d", PROFILE_SUBLAYERS, "meanfield.branch", false, false,
                        NULL},
    [PROFILE_UPDATE] = {"update_ratio", "update", PROFILE_SUBLAYERS, "meanfield.update_ratio",
                        false, true, NULL},
    [PROFILE_LARGEST] = {"largest", "max |x|", PROFILE_SUBLAYERS, NULL, false, false, NULL},
    [PROFILE_NORM] = {"norm", "max ||x||/sqrt d", PROFILE_SUBLAYERS, NULL, false, false, NULL},
    [PROFILE_NORM_JACOBIAN] = {"norm_jacobian", "||J_N||_2", PROFILE_SUBLAYERS, NULL, false, false,
                               NULL},
    [PROFILE_COSTATE] = {"costate", "costate", PROFILE_SUBLAYERS, "meanfield.costate", true, true,
                         NULL},
    [PROFILE_JACOBIAN] = {"jacobian", "||J||_F", PROFILE_SUBLAYERS, "meanfield.token_costate",
                          false, true, NULL},
    [PROFILE_W_V] = {"w_v", "W_V", PROFILE_LAYERS, "meanfield.w_v", true, true, "attn.w_v"},
    [PROFILE_W_O] = {"w_o", "W_O", PROFILE_LAYERS, "meanfield.w_o", true, true, "attn.w_o"},
    [PROFILE_W_1] = {"w_1", "W_1", PROFILE_LAYERS, "meanfield.w_1", true, true, "ffn.w_1"},
    [PROFILE_W_2] = {"w_2", "W_2", PROFILE_LAYERS, "meanfield.w_2", true, true, "ffn.w_2"},
    [PROFILE_TOKEN_W_V] = {"token_w_v", "token W_V", PROFILE_LAYERS, "meanfield.token_w_v", false,
                           true, "attn.w_v"},
    [PROFILE_TOKEN_W_O] = {"token_w_o", "token W_O", PROFILE_LAYERS, "meanfield.token_w_o", false,
                           true, "attn.w_o"},
    [PROFILE_TOKEN_W_1] = {"token_w_1", "token W_1", PROFILE_LAYERS, "meanfield.token_w_1", false,
                           true, "ffn.w_1"},
    [PROFILE_TOKEN_W_2] = {"token_w_2", "token W_2", PROFILE_LAYERS, "meanfield.token_w_2", false,
                           true, "ffn.w_2"},
    [PROFILE_LOSS_GRADIENT] = {"loss_gradient", "||g||", PROFILE_ONCE, "meanfield.loss_gradient",
                               false, false, NULL},
    [PROFILE_START] = {"start", "max ||x_0||/sqrt d", PROFILE_ONCE, NULL, false, false, NULL},
};

int64_t profile_count(enum profile_quantity q, int64_t layers) {
    static const int64_t per_layer[] = {[PROFILE_SUBLAYERS] = 2, [PROFILE_LAYERS] = 1};
    enum profile_axis axis = profile_rows[q].axis;
    return axis == PROFILE_ONCE ? 1 : per_layer[axis] * layers;
}

int64_t profile_place(enum profile_quantity q, int64_t layers) {
    int64_t place = 0;
    for (int before = 0; before < (int)q; before++)
        place += profile_count((enum profile_quantity)before, layers);
    return place;
}

int64_t profile_size(int64_t layers) {
    return profile_place(PROFILE_QUANTITIES, layers);
}
