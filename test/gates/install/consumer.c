/* A host program in C: one forward pass, so that the BLAS has to be there too. */
#include <lnstab.h>
#include <stdio.h>

int main(void) {
    const int32_t tokens[4] = {1, 2, 3, 4};
    lnstab_config *config = NULL;
    lnstab_model *model = NULL;
    int32_t status = lnstab_config_create(NULL, NULL, NULL, &config);
    if (status == LNSTAB_OK)
        status = lnstab_config_set(config, "layers=2 width=8 vocab=8 max_batch=1 max_tokens=4");
    if (status == LNSTAB_OK)
        status = lnstab_model_create(config, &model);
    if (status == LNSTAB_OK)
        status = lnstab_model_init(model, 1);
    if (status == LNSTAB_OK)
        status = lnstab_model_forward(model, 1, 4, tokens, NULL);
    if (status != LNSTAB_OK)
        printf("  %s: %s %s\n", lnstab_status_text(status), lnstab_config_message(config),
               lnstab_model_message(model));
    lnstab_model_destroy(model);
    lnstab_config_destroy(config);
    return status != LNSTAB_OK;
}
