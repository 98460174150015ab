#include "pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pool_piece {
    struct pool_piece *next;
    max_align_t data[];
};

void *pool_allocate(struct pool *p, size_t size) {
    struct pool_piece *piece = calloc(1, sizeof *piece + size);
    if (!piece) {
        p->exhausted = true;
        return NULL;
    }
    piece->next = p->pieces;
    p->pieces = piece;
    return piece->data;
}

const char *pool_vprint(struct pool *p, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    size_t size = (size_t)vsnprintf(NULL, 0, format, arguments) + 1;
    char *text = pool_allocate(p, size);
    if (text)
        vsnprintf(text, size, format, again);
    va_end(again);
    return text ? text : "";
}

const char *pool_print(struct pool *p, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *text = pool_vprint(p, format, arguments);
    va_end(arguments);
    return text;
}

void *pool_grow(struct pool *p, void *array, int count, int *room, size_t element) {
    if (count < *room)
        return array;
    int larger = *room ? 2 * *room : 16;
    void *moved = pool_allocate(p, (size_t)larger * element);
    if (!moved)
        return NULL;
    if (count)
        memcpy(moved, array, (size_t)count * element);
    *room = larger;
    return moved;
}

void pool_free(struct pool *p) {
    while (p->pieces) {
        struct pool_piece *piece = p->pieces;
        p->pieces = piece->next;
        free(piece);
    }
}
