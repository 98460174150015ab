#define _POSIX_C_SOURCE 200809L

#include "journal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The lock goes when the file is closed, and with the process. */
static const char *lock(int fd) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fd, F_SETLK, &whole) == 0)
        return NULL;
    return errno == EACCES || errno == EAGAIN ? "in use by another process" : strerror(errno);
}

const char *journal_open(struct journal *j, const char *path) {
    struct stat at;
    int fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666);
    if (fd < 0)
        return strerror(errno);
    if (fstat(fd, &at) == 0 && (j->file = fdopen(fd, "r+")))
        return S_ISREG(at.st_mode) ? lock(fd) : "not a regular file";
    const char *why = strerror(errno);
    close(fd);
    return why;
}

static bool write_bytes(int fd, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t written = write(fd, bytes, size);
        if (written < 0 && errno != EINTR)
            return false;
        bytes += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

bool journal_append(struct journal *j, const char *bytes, size_t size) {
    int fd = fileno(j->file);
    bool good = ftruncate(fd, j->end) == 0 && write_bytes(fd, bytes, size) && fsync(fd) == 0;
    j->end += good ? (off_t)size : 0;
    return good;
}

void journal_close(struct journal *j) {
    if (j->file)
        fclose(j->file);
}
