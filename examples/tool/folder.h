/* Files of a directory that the program fills. */
#ifndef TOOL_FOLDER_H
#define TOOL_FOLDER_H

#include <stdbool.h>
#include <stdio.h>

#define FOLDER_PATH 4096

/* DIRECTORY/NAMEENDING. False after one line on stderr if that is too long. */
bool folder_path(char path[FOLDER_PATH], const char *directory, const char *name,
                 const char *ending);

/* For writing; NULL after one line on stderr. */
FILE *folder_open(const char *directory, const char *name, const char *ending);
/* False after one line on stderr if not everything could be written. */
bool folder_close(FILE *file, const char *directory, const char *name, const char *ending);

/* Makes directory where its parent exists; one that is there is taken. False after one line on stderr that
 * names option. */
bool folder_make(const char *directory, const char *option);

/* A new directory for what is needed for a moment, "" after one line on stderr; and away with it and the
 * files in it. */
void folder_borrow(char path[FOLDER_PATH]);
void folder_return(const char *path);

#endif
