#define _POSIX_C_SOURCE 200809L

#include "checkpoint.h"

#include "begun.h"
#include "record.h"
#include "repeat.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool refuse(const struct checkpoint *c, const char *why) {
    usage_error("--resume %s: %s", c->path, why);
    return false;
}

static bool refuse_line(const struct checkpoint *c, long number) {
    usage_error("--resume %s: line %ld is damaged", c->path, number);
    return false;
}

/* The file as its lines are read. */
struct reader {
    char *line;
    size_t room, size; /* size is the line's, with its newline */
    long number;       /* of the line, from 1                  */
};

/* False at the end of the file, and after an error. */
static bool next_line(const struct checkpoint *c, struct reader *r) {
    ssize_t size = getline(&r->line, &r->room, c->journal.file);
    r->size = size < 0 ? 0 : (size_t)size;
    r->number += size >= 0;
    return size >= 0;
}

/* True if the file is new, or was killed before all that it begins with was there. */
static bool is_beginning(const struct checkpoint *c, const char *begun) {
    size_t size = strlen(begun), same = 0;
    int byte;
    while (same < size && (byte = fgetc(c->journal.file)) == (unsigned char)begun[same])
        same++;
    bool short_of = same < size && byte == EOF && !ferror(c->journal.file);
    rewind(c->journal.file);
    return short_of;
}

/* The file's line where it should say item, name=value. */
static bool refuse_item(const struct checkpoint *c, const struct reader *r, const char *item) {
    size_t name = strcspn(item, "=") + 1;
    if (r->size < name || strncmp(r->line, item, name) != 0)
        return r->number > 1 ? refuse_line(c, r->number) : refuse(c, "not a checkpoint");
    usage_error("--resume %s was begun with %.*s, not %.*s", c->path, (int)strcspn(r->line, "\n"),
                r->line, (int)strcspn(item + name, "\n"), item + name);
    return false;
}

static bool read_beginning(struct checkpoint *c, struct reader *r, const char *begun) {
    for (const char *item = begun; *item; item += r->size) {
        next_line(c, r);
        if (r->size != strcspn(item, "\n") + 1 || memcmp(r->line, item, r->size) != 0)
            return refuse_item(c, r, item);
    }
    c->journal.end = (off_t)strlen(begun);
    return true;
}

/* Only the last line may be damaged. */
static bool read_records(struct checkpoint *c, struct reader *r, struct sweep *s) {
    bool whole = true;
    while (next_line(c, r)) {
        if (!whole)
            return refuse_line(c, r->number - 1);
        whole = record_read(s, r->line, r->size);
        c->journal.end += whole ? (off_t)r->size : 0;
    }
    return feof(c->journal.file) ? true : refuse(c, strerror(errno));
}

static bool repeats(const struct checkpoint *c, const struct sweep *s) {
    char message[MESSAGE_SIZE] = "";
    struct job job;
    return !sweep_known(s, &job) || repeat_run(s, job, message) != WORK_FAILED ||
           refuse(c, message);
}

static bool read_file(struct checkpoint *c, struct sweep *s, const char *begun) {
    struct reader r = {0};
    bool good = read_beginning(c, &r, begun) && read_records(c, &r, s) && repeats(c, s);
    free(r.line);
    return good;
}

bool checkpoint_open(struct checkpoint *c, const char *path, struct sweep *s) {
    *c = (struct checkpoint){.path = path, .lock = PTHREAD_MUTEX_INITIALIZER};
    if (!path)
        return true;
    c->sweep = s;
    char *begun = begun_with(s);
    const char *why = begun ? journal_open(&c->journal, path) : "no memory";
    bool good = !why || refuse(c, why);
    if (good && is_beginning(c, begun))
        good = journal_append(&c->journal, begun, strlen(begun)) || refuse(c, strerror(errno));
    else if (good)
        good = read_file(c, s, begun);
    free(begun);
    return good;
}

bool checkpoint_append(struct checkpoint *c, const struct sweep *s, struct job job,
                       char message[MESSAGE_SIZE]) {
    if (s != c->sweep)
        return true;
    size_t size;
    char *record = record_write(s, job, &size);
    pthread_mutex_lock(&c->lock);
    errno = ENOMEM;
    bool good = record && journal_append(&c->journal, record, size);
    if (!good)
        snprintf(message, MESSAGE_SIZE, "--resume %s: %s", c->path, strerror(errno));
    pthread_mutex_unlock(&c->lock);
    free(record);
    return good;
}

void checkpoint_close(struct checkpoint *c) {
    journal_close(&c->journal);
}
