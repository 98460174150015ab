#include "figure.h"

#include "folder.h"
#include "gnuplot.h"

bool figure_possible(void) {
    return gnuplot_exists();
}

static bool write_part(const struct figure *f, const char *directory, const char *ending,
                       void (*write)(const struct figure *f, FILE *out)) {
    FILE *file = folder_open(directory, f->name, ending);
    if (!file)
        return false;
    write(f, file);
    return folder_close(file, directory, f->name, ending);
}

static bool draw(const struct figure *f, const char *directory, const char *ending, bool png) {
    char script[FOLDER_PATH], to[FOLDER_PATH];
    return folder_path(script, directory, f->name, ".gp") &&
           folder_path(to, directory, f->name, ending) && gnuplot_draw(script, to, png);
}

bool figure_write(const struct figure *f, const char *directory, bool png) {
    return write_part(f, directory, ".csv", figure_csv) &&
           write_part(f, directory, ".gp", figure_script) && draw(f, directory, ".svg", false) &&
           (!png || draw(f, directory, ".png", true));
}
