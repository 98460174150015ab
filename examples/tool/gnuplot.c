#define _POSIX_C_SOURCE 200809L

#include "gnuplot.h"

#include "usage.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* 0, or an error number if it could not be started; *status is then what it ended with. */
static int run(const char *const argv[], const char *to, int *status) {
    posix_spawn_file_actions_t files;
    pid_t child;
    int error = posix_spawn_file_actions_init(&files);
    if (error)
        return error;
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, to, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    error = posix_spawnp(&child, argv[0], &files, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&files);
    while (!error && waitpid(child, status, 0) < 0)
        error = errno == EINTR ? 0 : errno;
    return error;
}

bool gnuplot_exists(void) {
    static const char *const argv[] = {"gnuplot", "--version", NULL};
    int status = 0, error = run(argv, "/dev/null", &status);
    if (error || status != 0)
        usage_error("figures are drawn by gnuplot, which does not start: %s",
                    error ? strerror(error) : "it fails");
    return !error && status == 0;
}

/* True if the file ends as one that was written to its end. */
static bool whole(const char *path, const char *end) {
    char tail[16];
    size_t length = strlen(end);
    FILE *file = fopen(path, "rb");
    bool good = file && fseek(file, -(long)sizeof tail, SEEK_END) == 0 &&
                fread(tail, 1, sizeof tail, file) == sizeof tail;
    if (file)
        fclose(file);
    for (size_t i = 0; good && i + length <= sizeof tail; i++)
        if (memcmp(tail + i, end, length) == 0)
            return true;
    return false;
}

bool gnuplot_draw(const char *script, const char *to, bool png) {
    const char *const as_svg[] = {"gnuplot", script, NULL};
    const char *const as_png[] = {"gnuplot", "-e", "png=1", script, NULL};
    int status = 0, error = run(png ? as_png : as_svg, to, &status);
    bool good = !error && status == 0 && whole(to, png ? "IEND" : "</svg>");
    if (!good)
        usage_error("gnuplot %s does not draw %s: %s", script, to,
                    error ? strerror(error) : "it fails, or there is no room");
    return good;
}
