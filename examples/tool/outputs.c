#define _POSIX_C_SOURCE 200809L

#include "outputs.h"

#include "folder.h"
#include "places.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static const char *const file_options[OUTPUT_FILES] = {
    [OUTPUT_CSV] = "--csv", [OUTPUT_JSON] = "--json", [OUTPUT_HTML] = "--html"};

/* Where a directory's files come from; of names, each with every ending. */
static const struct directory {
    const char *option, *endings[5];
} directories[] = {
    {"--tables", {".csv"}},
    {"--figures", {".csv", ".gp", ".svg", ".png"}},
};

#define DIRECTORIES (int)(sizeof directories / sizeof directories[0])
#define META ".meta.json" /* behind the name of the runs' CSV */

static bool is_stdout(const char *path) {
    return path && strcmp(path, "-") == 0;
}

/* A format that was asked for, "-" of a file, and nothing else. */
static bool one_on_stdout(const struct options *o) {
    const char *first = options_given(o, "--format") ? "--format" : NULL;
    for (int i = 0; i < OUTPUT_FILES; i++) {
        if (!is_stdout(options_text(o, file_options[i])))
            continue;
        if (first) {
            usage_error("%s%s and %s - cannot both have standard output", first,
                        strcmp(first, "--format") == 0 ? "" : " -", file_options[i]);
            return false;
        }
        first = file_options[i];
    }
    return true;
}

static void add_directory(struct places *p, const struct options *o, const struct directory *d,
                          const char *const *names) {
    const char *directory = options_text(o, d->option);
    char path[FOLDER_PATH];
    if (!directory)
        return;
    for (; *names; names++)
        for (const char *const *ending = d->endings; *ending; ending++)
            if (folder_path(path, directory, *names, *ending))
                places_add(p, d->option, path, false);
    if (d == directories && folder_path(path, directory, "meta", ".json"))
        places_add(p, d->option, path, false);
}

static void add_files(struct places *p, const struct options *o) {
    static const char *const read[] = {"--text", "--resume"};
    const char *csv = options_text(o, "--csv");
    for (size_t i = 0; i < sizeof read / sizeof read[0]; i++)
        if (options_given(o, read[i]))
            places_add(p, read[i], options_text(o, read[i]), true);
    for (int i = 0; i < o->words; i++)
        places_add(p, "DESIGN", o->word[i], true);
    for (int i = 0; i < OUTPUT_FILES; i++) {
        const char *path = options_text(o, file_options[i]);
        if (path && !is_stdout(path))
            places_add(p, file_options[i], path, true);
    }
    if (csv && !is_stdout(csv))
        places_add(p, "--csv", pool_print(&p->pool, "%s%s", csv, META), false);
}

/* Again after a file was made, as two names of a file that is not there yet may be found out then. */
static bool apart(const struct options *o, const char *const *names) {
    struct places p = {0};
    add_files(&p, o);
    for (int i = 0; i < DIRECTORIES; i++)
        add_directory(&p, o, &directories[i], names);
    bool good = places_apart(&p);
    places_free(&p);
    return good;
}

static bool make_directories(const struct options *o) {
    for (int i = 0; i < DIRECTORIES; i++) {
        const char *path = options_text(o, directories[i].option);
        if (path && !folder_make(path, directories[i].option))
            return false;
    }
    return true;
}

static bool open_file(const char *option, const char *path, FILE **out) {
    *out = is_stdout(path) ? stdout : fopen(path, "w");
    if (!*out)
        usage_error("%s %s: %s", option, path, strerror(errno));
    return *out != NULL;
}

static bool open_files(struct outputs *out, const struct options *o, const char *const *names) {
    for (int i = 0; i < OUTPUT_FILES; i++) {
        const char *path = options_text(o, file_options[i]);
        if (path && !(apart(o, names) && open_file(file_options[i], path, &out->file[i])))
            return false;
        out->printed &= out->file[i] != stdout;
    }
    return true;
}

static bool read_format(struct outputs *out, const struct options *o) {
    const char *word = options_text(o, "--format");
    int i = 0;
    while (word && document_formats[i] && strcmp(document_formats[i], word) != 0)
        i++;
    if (!document_formats[i])
        usage_error("--format %s is not one of text, markdown, latex", word);
    out->format = (enum document_format)i;
    return document_formats[i] != NULL;
}

static bool figures_possible(struct outputs *out, const struct options *o) {
    out->tables = options_text(o, "--tables");
    out->figures = options_text(o, "--figures");
    out->png = options_given(o, "--png");
    if (out->png && !out->figures) {
        usage_error("--png needs --figures, the directory that figures go to");
        return false;
    }
    bool drawn = out->figures || (options_given(o, "--html") && options_has(o, "--figures"));
    return !drawn || figure_possible();
}

static bool write_meta(const char *directory, const char *name, const char *ending,
                       const struct origin *origin) {
    FILE *file = folder_open(directory, name, ending);
    if (!file)
        return false;
    origin_json(origin, file);
    return folder_close(file, directory, name, ending);
}

/* Beside the CSV of runs, if that is a file that stays. */
static bool write_runs_meta(const struct outputs *out, const struct options *o,
                            const struct origin *origin) {
    const char *csv = options_text(o, "--csv"), *slash = csv ? strrchr(csv, '/') : NULL;
    char directory[FOLDER_PATH] = ".";
    struct stat at;
    if (!csv || is_stdout(csv) || fstat(fileno(out->file[OUTPUT_CSV]), &at) != 0 ||
        !S_ISREG(at.st_mode))
        return true;
    if (slash)
        snprintf(directory, sizeof directory, "%.*s", (int)(slash - csv), csv);
    return write_meta(directory, slash ? slash + 1 : csv, META, origin);
}

bool outputs_check(struct outputs *out, const struct options *o, const char *const *names) {
    return one_on_stdout(o) && read_format(out, o) && figures_possible(out, o) && apart(o, names);
}

bool outputs_open(struct outputs *out, const struct options *o, const char *const *names,
                  const struct origin *origin) {
    out->printed = true;
    return make_directories(o) && apart(o, names) && open_files(out, o, names) &&
           write_runs_meta(out, o, origin);
}

static bool write_report(const struct outputs *out, struct document *d,
                         const struct origin *origin) {
    FILE *html = out->file[OUTPUT_HTML];
    d->figures = out->figures;
    return (!d->drawings || document_write_figures(d, d->drawings, out->png)) &&
           (!html || document_write(d, DOCUMENT_HTML, html)) &&
           (!out->tables || (document_write_tables(d, out->tables) &&
                             write_meta(out->tables, "meta", ".json", origin))) &&
           (!out->printed || document_write(d, out->format, stdout));
}

bool outputs_report(const struct outputs *out, struct document *d, const struct origin *origin) {
    char borrowed[FOLDER_PATH] = "";
    if (!out->figures && out->file[OUTPUT_HTML]) {
        folder_borrow(borrowed);
        if (!*borrowed)
            return false;
    }
    d->drawings = out->figures ? out->figures : *borrowed ? borrowed : NULL;
    bool good = write_report(out, d, origin);
    if (*borrowed)
        folder_return(borrowed);
    return good;
}

void outputs_interrupted(const struct outputs *out) {
    struct document d;
    if (out->file[OUTPUT_JSON])
        fputs("{\"interrupted\": true}\n", out->file[OUTPUT_JSON]);
    if (!out->file[OUTPUT_HTML])
        return;
    document_start(&d, "lnstab: interrupted", "The run did not end, and nothing is shown of it.");
    document_write(&d, DOCUMENT_HTML, out->file[OUTPUT_HTML]);
    document_free(&d);
}

static bool close_output(FILE *file, const char *option) {
    bool good = !file || (fflush(file) == 0 && !ferror(file));
    if (file && file != stdout)
        good = fclose(file) == 0 && good;
    if (!good)
        usage_error("%s: not everything could be written", option);
    return good;
}

bool outputs_close(struct outputs *out) {
    bool good = true;
    for (int i = 0; i < OUTPUT_FILES; i++)
        good &= close_output(out->file[i], file_options[i]);
    return good;
}
