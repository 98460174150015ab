/* The finished jobs of a sweep in a file, from which a later call goes on.
 *
 * The file is what begun_with says, then a record a job, each on the disk before the next is begun: a
 * kill can leave no more than one torn record, the last. */
#ifndef TOOL_CHECKPOINT_H
#define TOOL_CHECKPOINT_H

#include "journal.h"
#include "sweep.h"

#include <pthread.h>

struct checkpoint {
    const struct sweep *sweep; /* NULL: nothing is kept */
    const char *path;
    struct journal journal;
    pthread_mutex_t lock;
};

/* Begins the file, or gives the sweep the jobs that it holds; nothing is kept if path is NULL. A torn last
 * record is passed over. False after one line on stderr, with the file as it was, if it was begun with
 * something else, is damaged, in use or no file, or if a run of it gives other numbers now.
 * checkpoint_close is needed in either case. */
bool checkpoint_open(struct checkpoint *c, const char *path, struct sweep *s);

/* Any thread may call it. A job of another sweep is not kept. False with a message. */
bool checkpoint_append(struct checkpoint *c, const struct sweep *s, struct job job,
                       char message[MESSAGE_SIZE]);

void checkpoint_close(struct checkpoint *c);

#endif
