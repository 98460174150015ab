#include "math/philox.h"

#include <string.h>

#include "math/box_muller.h"

/* LANES counters go through each loop together, word by word, so that a compiler makes vectors of it: at
 * -O2 gcc does where the number of turns is a constant. Fewer elements than that are cut out of them,
 * except those of one counter, which go alone. No bit depends on the way. */
enum { ROUNDS = 10, WORDS = 4, LANES = 32 };

struct lanes {
    uint32_t words[WORDS][LANES];
    double values[WORDS][LANES];
};

static inline void mix(uint32_t k0, uint32_t k1, uint32_t *c0, uint32_t *c1, uint32_t *c2,
                       uint32_t *c3) {
    const uint64_t product0 = (uint64_t)*c0 * 0xD2511F53U, product1 = (uint64_t)*c2 * 0xCD9E8D57U;
    *c0 = (uint32_t)(product1 >> 32) ^ *c1 ^ k0;
    *c1 = (uint32_t)product1;
    *c2 = (uint32_t)(product0 >> 32) ^ *c3 ^ k1;
    *c3 = (uint32_t)product0;
}

static void next_key(uint32_t key[2]) {
    key[0] += 0x9E3779B9U;
    key[1] += 0xBB67AE85U;
}

void lnstab__philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]) {
    uint32_t k[2] = {key[0], key[1]}, c0 = counter[0], c1 = counter[1], c2 = counter[2],
             c3 = counter[3];
    for (int round = 0; round < ROUNDS; ++round) {
        mix(k[0], k[1], &c0, &c1, &c2, &c3);
        next_key(k);
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

/* The counters of LANES blocks from the given one on, and their words. */
static void philox_lanes(struct lnstab__stream s, uint64_t block, uint32_t c[WORDS][LANES]) {
    uint32_t k[2] = {(uint32_t)s.seed, (uint32_t)(s.seed >> 32)};
    for (int i = 0; i < LANES; ++i) {
        c[0][i] = (uint32_t)(block + (uint64_t)i);
        c[1][i] = (uint32_t)((block + (uint64_t)i) >> 32);
        c[2][i] = s.kind;
        c[3][i] = s.layer;
    }
    for (int round = 0; round < ROUNDS; ++round) {
        for (int i = 0; i < LANES; ++i) {
            mix(k[0], k[1], &c[0][i], &c[1][i], &c[2][i], &c[3][i]);
        }
        next_key(k);
    }
}

/* Two loops, because gcc does not inline a function as long as lnstab__normal_pair. */
static void normal_lanes(struct lanes *x) {
    double radius[LANES];
    for (int w = 0; w < WORDS; w += 2) {
        for (int i = 0; i < LANES; ++i) {
            radius[i] = lnstab__radius_of_word(x->words[w][i]);
        }
        for (int i = 0; i < LANES; ++i) {
            const struct lnstab__pair turn = lnstab__turn_of_word(x->words[w + 1][i]);
            x->values[w][i] = radius[i] * turn.first;
            x->values[w + 1][i] = radius[i] * turn.second;
        }
    }
}

static void uniform_lanes(struct lanes *x) {
    for (int w = 0; w < WORDS; w += 2) {
        for (int i = 0; i < LANES; ++i) {
            const struct lnstab__pair u = lnstab__uniform_pair(x->words[w][i], x->words[w + 1][i]);
            x->values[w][i] = u.first;
            x->values[w + 1][i] = u.second;
        }
    }
}

/* What becomes of two words, one pair or many: a counter has two pairs. */
struct distribution {
    struct lnstab__pair (*pair)(uint32_t u, uint32_t v);
    void (*lanes)(struct lanes *x);
};

static void draw_counter(struct lnstab__stream s, const struct distribution *d, uint64_t block,
                         double out[WORDS]) {
    const uint32_t key[2] = {(uint32_t)s.seed, (uint32_t)(s.seed >> 32)};
    const uint32_t counter[WORDS] = {(uint32_t)block, (uint32_t)(block >> 32), s.kind, s.layer};
    uint32_t words[WORDS];
    lnstab__philox(counter, key, words);
    for (int w = 0; w < WORDS; w += 2) {
        const struct lnstab__pair z = d->pair(words[w], words[w + 1]);
        out[w] = z.first;
        out[w + 1] = z.second;
    }
}

static void draw_lanes(struct lnstab__stream s, const struct distribution *d, uint64_t block,
                       double out[WORDS * LANES]) {
    struct lanes x;
    philox_lanes(s, block, x.words);
    d->lanes(&x);
    for (int i = 0; i < LANES; ++i) {
        for (int w = 0; w < WORDS; ++w) {
            out[WORDS * i + w] = x.values[w][i];
        }
    }
}

static void draw(struct lnstab__stream s, const struct distribution *d, uint64_t first,
                 size_t count, double *out) {
    for (size_t done = 0, taken; done < count; done += taken) {
        const uint64_t block = (first + done) / WORDS;
        const size_t skip = (first + done) % WORDS, left = count - done;
        const int alone = left <= WORDS - skip;
        const size_t room = (alone ? WORDS : WORDS * LANES) - skip;
        double values[WORDS * LANES];
        (alone ? draw_counter : draw_lanes)(s, d, block, values);
        taken = left < room ? left : room;
        memcpy(out + done, values + skip, taken * sizeof *out);
    }
}

void lnstab__draw_normal(struct lnstab__stream s, uint64_t first, size_t count, double *out) {
    static const struct distribution normal = {lnstab__normal_pair, normal_lanes};
    draw(s, &normal, first, count, out);
}

void lnstab__draw_uniform(struct lnstab__stream s, uint64_t first, size_t count, double *out) {
    static const struct distribution uniform = {lnstab__uniform_pair, uniform_lanes};
    draw(s, &uniform, first, count, out);
}
