// A host program in C++: the handles in smart pointers.
#include <lnstab.h>

#include <cstdio>
#include <memory>

struct End {
    void operator()(lnstab_config *c) const { lnstab_config_destroy(c); }
    void operator()(lnstab_model *m) const { lnstab_model_destroy(m); }
};

int main() {
    const int32_t tokens[4] = {1, 2, 3, 4};
    lnstab_config *c = nullptr;
    if (lnstab_config_create(nullptr, nullptr, nullptr, &c) != LNSTAB_OK)
        return 1;
    std::unique_ptr<lnstab_config, End> config(c);
    lnstab_model *m = nullptr;
    if (lnstab_config_set(c, "layers=2 width=8 vocab=8 max_batch=1 max_tokens=4") != LNSTAB_OK ||
        lnstab_model_create(c, &m) != LNSTAB_OK) {
        std::printf("  %s\n", lnstab_config_message(c));
        return 1;
    }
    std::unique_ptr<lnstab_model, End> model(m);
    if (lnstab_model_init(m, 1) != LNSTAB_OK ||
        lnstab_model_forward(m, 1, 4, tokens, nullptr) != LNSTAB_OK) {
        std::printf("  %s\n", lnstab_model_message(m));
        return 1;
    }
    return 0;
}
