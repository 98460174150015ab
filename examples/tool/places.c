#define _POSIX_C_SOURCE 200809L

#include "places.h"

#include <string.h>
#include <sys/stat.h>

void places_add(struct places *p, const char *option, const char *path, bool given) {
    struct place *list = pool_grow(&p->pool, p->list, p->count, &p->room, sizeof *list);
    if (!list)
        return;
    p->list = list;
    p->list[p->count++] = (struct place){option, pool_print(&p->pool, "%s", path), given};
}

void places_free(struct places *p) {
    pool_free(&p->pool);
}

static bool same_inode(const char *a, const char *b) {
    struct stat at_a, at_b;
    return stat(a, &at_a) == 0 && stat(b, &at_b) == 0 && at_a.st_dev == at_b.st_dev &&
           at_a.st_ino == at_b.st_ino;
}

/* The directory of path, in the pool. */
static const char *parent(struct pool *pool, const char *path) {
    const char *slash = strrchr(path, '/');
    int length = slash ? (int)(slash - path) : 0;
    return !slash ? "." : length ? pool_print(pool, "%.*s", length, path) : "/";
}

static const char *name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool same_file(struct pool *pool, const char *a, const char *b) {
    if (strcmp(a, b) == 0 || same_inode(a, b))
        return true;
    return strcmp(name(a), name(b)) == 0 && same_inode(parent(pool, a), parent(pool, b));
}

static bool pair_apart(struct pool *pool, const struct place *a, const struct place *b) {
    if ((!a->given && !b->given) || strcmp(a->option, b->option) == 0 ||
        !same_file(pool, a->path, b->path))
        return true;
    usage_error("%s %s and %s %s are the same file", a->option, a->path, b->option, b->path);
    return false;
}

bool places_apart(const struct places *p) {
    struct pool scratch = {0};
    bool good = !p->pool.exhausted;
    if (!good)
        usage_error("no memory for the command line");
    for (int i = 0; good && i < p->count; i++)
        for (int k = 0; good && k < i; k++)
            good = pair_apart(&scratch, &p->list[k], &p->list[i]);
    pool_free(&scratch);
    return good;
}
