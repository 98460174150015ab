/* A model in the host's own memory: one allocation a handle, none later, a refusal is an error.
 * Build: cc 05_own_memory.c $(pkg-config --cflags --libs lnstab)
 * Output:
 *   layers=12  needs 5238784 bytes: the allocator gave no 5238784 bytes
 *   layers=2   needs  917824 bytes: made
 *   allocations: 3 asked for, 1 refused, 0 asked for in 100 steps
 *   given back: 2
 */
#include <lnstab.h>
#include <stdio.h>

/* Memory that is handed out from its start to its end, and given back all at once. */
struct arena {
    unsigned char *memory;
    size_t size, used;
    int asked, refused, returned;
};

static void *take(void *user, size_t size, size_t align) {
    struct arena *a = user;
    ++a->asked;
    size_t past = (uintptr_t)(a->memory + a->used) % align;
    size_t start = a->used + (past ? align - past : 0);
    if (start > a->size || size > a->size - start) {
        return ++a->refused, NULL;
    }
    a->used = start + size;
    return a->memory + start;
}

static void put_back(void *user, void *p) {
    struct arena *a = user;
    (void)p; /* the arena ends as a whole */
    ++a->returned;
}

/* Takes the steps of a training a hundred times. */
static int work(lnstab_model *m) {
    static const int32_t text[9] = {3, 1, 4, 1, 5, 9, 2, 6, 5}; /* each token predicts the next */
    double loss;
    for (int i = 0; i < 100; ++i) {
        if (lnstab_model_init(m, 1) || lnstab_model_zero_grads(m) ||
            lnstab_model_forward(m, 1, 8, text, NULL) ||
            lnstab_model_loss(m, text + 1, &loss, NULL) || lnstab_model_backward(m, NULL)) {
            return fprintf(stderr, "%s\n", lnstab_model_message(m)), 1;
        }
    }
    return 0;
}

/* Asks how large the model would be, and then for the model: NULL if it is refused. */
static lnstab_model *model(lnstab_config *c, const char *layers) {
    lnstab_model *m = NULL;
    size_t bytes = 0;
    int32_t status = lnstab_config_set(c, layers);
    if (status == LNSTAB_OK) {
        status = lnstab_model_size(c, &bytes);
    }
    if (status == LNSTAB_OK) {
        status = lnstab_model_create(c, &m);
    }
    printf("%-10s needs %7zu bytes: %s\n", layers, bytes,
           status == LNSTAB_OK ? "made" : lnstab_config_message(c));
    return m;
}

int main(void) {
    static _Alignas(64) unsigned char memory[1 << 20];
    struct arena a = {.memory = memory, .size = sizeof memory};
    lnstab_config *c = NULL;
    if (lnstab_config_create(take, put_back, &a, &c) ||
        lnstab_config_set(c, "width=64 heads=4 vocab=10 max_tokens=8 causal=1")) {
        fprintf(stderr, "%s\n", lnstab_config_message(c));
        lnstab_config_destroy(c);
        return 1;
    }
    lnstab_model *larger = model(c, "layers=12");
    lnstab_model *m = model(c, "layers=2");
    int before = a.asked, failed = !m || work(m);
    printf("allocations: %d asked for, %d refused, %d asked for in 100 steps\n", before, a.refused,
           a.asked - before);
    lnstab_model_destroy(larger);
    lnstab_model_destroy(m);
    lnstab_config_destroy(c);
    printf("given back: %d\n", a.returned);
    return failed;
}
