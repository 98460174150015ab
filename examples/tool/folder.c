#define _POSIX_C_SOURCE 200809L

#include "folder.h"

#include "usage.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool folder_path(char path[FOLDER_PATH], const char *directory, const char *name,
                 const char *ending) {
    int length = snprintf(path, FOLDER_PATH, "%s/%s%s", directory, name, ending);
    if (length >= FOLDER_PATH)
        usage_error("%s: the name is longer than %d bytes", directory, FOLDER_PATH - 1);
    return length < FOLDER_PATH;
}

FILE *folder_open(const char *directory, const char *name, const char *ending) {
    char path[FOLDER_PATH];
    if (!folder_path(path, directory, name, ending))
        return NULL;
    FILE *file = fopen(path, "w");
    if (!file)
        usage_error("%s: %s", path, strerror(errno));
    return file;
}

bool folder_close(FILE *file, const char *directory, const char *name, const char *ending) {
    bool good = fflush(file) == 0 && !ferror(file);
    good = fclose(file) == 0 && good;
    if (!good)
        usage_error("%s/%s%s: not everything could be written", directory, name, ending);
    return good;
}

bool folder_make(const char *directory, const char *option) {
    struct stat at;
    if (mkdir(directory, 0777) != 0 && errno != EEXIST) {
        usage_error("%s %s: %s", option, directory, strerror(errno));
        return false;
    }
    bool good = stat(directory, &at) == 0 && S_ISDIR(at.st_mode);
    if (!good)
        usage_error("%s %s is not a directory", option, directory);
    else if (access(directory, W_OK | X_OK) != 0) {
        usage_error("%s %s: %s", option, directory, strerror(errno));
        good = false;
    }
    return good;
}

void folder_borrow(char path[FOLDER_PATH]) {
    const char *parent = getenv("TMPDIR");
    if (!parent || !*parent)
        parent = "/tmp";
    if (!folder_path(path, parent, "lnstab.XXXXXX", "") || !mkdtemp(path)) {
        usage_error("a directory in %s, for the figures: %s", parent, strerror(errno));
        *path = '\0';
    }
}

void folder_return(const char *path) {
    DIR *directory = opendir(path);
    for (const struct dirent *entry; directory && (entry = readdir(directory));) {
        char file[FOLDER_PATH];
        if (*entry->d_name != '.' && folder_path(file, path, entry->d_name, ""))
            unlink(file);
    }
    if (directory)
        closedir(directory);
    rmdir(path);
}
