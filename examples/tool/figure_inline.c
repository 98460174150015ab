#include "figure.h"

#include "escape.h"
#include "folder.h"

#include <errno.h>
#include <string.h>

/* What gnuplot writes, and what a page has in its place. "#" stands for the figure's name, so that no two
 * figures of a page share an id. */
static const struct {
    const char *drawn, *inlined;
} marks[] = {
    {" id='", " id='#-"},
    {" id=\"", " id=\"#-"},
    {"href='#", "href='##-"},
    {"url(#", "url(##-"},
    {"'black'", "'currentColor'"},
    {"\"black\"", "\"currentColor\""},
    {"\"#ffffff\"", "\"none\""},
    {"#FFFFFF", "var(--ground)"},
    {"rgb( 11,  98, 164)", "var(--accent)"},
    {"rgb(11,98,164)", "var(--accent)"},
    {"rgb( 51,  51,  51)", "var(--dark)"},
    {"rgb(51,51,51)", "var(--dark)"},
    {"rgb(102, 102, 102)", "var(--medium)"},
    {"rgb(102,102,102)", "var(--medium)"},
    {"rgb(153, 153, 153)", "var(--light)"},
    {"rgb(228, 228, 228)", "var(--rule)"},
};

/* The whole file, in the figure's pool; NULL after one line on stderr. */
static const char *read_drawing(const struct figure *f, const char *directory) {
    char path[FOLDER_PATH];
    if (!folder_path(path, directory, f->name, ".svg"))
        return NULL;
    FILE *file = fopen(path, "rb");
    long size = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    char *text = size < 0 ? NULL : pool_allocate(f->pool, (size_t)size + 1);
    bool good =
        text && fseek(file, 0, SEEK_SET) == 0 && fread(text, 1, (size_t)size, file) == (size_t)size;
    if (!good)
        usage_error("%s: %s", path, strerror(errno));
    if (file)
        fclose(file);
    return good ? text : NULL;
}

/* A "##" is a "#" and the name. */
static void write_inlined(const struct figure *f, const char *text, FILE *out) {
    for (; *text; text++) {
        if (text[0] == '#' && text[1] == '#')
            fputc(*text++, out);
        if (*text == '#')
            fputs(f->name, out);
        else
            fputc(*text, out);
    }
}

/* Inside of tags only: what stands between them is text. gnuplot's title of a plot would be a tip. */
static void write_marked(const struct figure *f, const char *text, const char *end, FILE *out) {
    static const char tip[] = "<title>", tip_end[] = "</title>";
    bool tag = false;
    while (text < end) {
        const char *behind = strncmp(text, tip, strlen(tip)) == 0 ? strstr(text, tip_end) : NULL;
        if (behind) {
            text = behind + strlen(tip_end);
            continue;
        }
        size_t i = 0, count = sizeof marks / sizeof marks[0];
        while (tag && i < count && strncmp(text, marks[i].drawn, strlen(marks[i].drawn)) != 0)
            i++;
        if (tag && i < count) {
            write_inlined(f, marks[i].inlined, out);
            text += strlen(marks[i].drawn);
            continue;
        }
        tag = *text == '<' || (tag && *text != '>');
        fputc(*text++, out);
    }
}

static void write_description(const struct figure *f, FILE *out) {
    fprintf(out, "<title id=\"%s-title\">", f->name);
    escape_html(out, f->name);
    fprintf(out, "</title>\n<desc id=\"%s-desc\">", f->name);
    escape_html(out, f->caption);
    fputs("</desc>\n", out);
}

bool figure_inline(const struct figure *f, const char *directory, FILE *out) {
    const char *text = read_drawing(f, directory);
    if (!text)
        return false;
    const char *start = strstr(text, "<svg"), *canvas = start ? strstr(start, "<g id=") : NULL;
    const char *box = start ? strstr(start, "viewBox=\"") : NULL;
    if (!canvas || !box || box > canvas) {
        usage_error("%s/%s.svg is not as gnuplot draws", directory, f->name);
        return false;
    }
    fprintf(out,
            "<svg viewBox=\"%.*s\" role=\"img\" aria-labelledby=\"%s-title %s-desc\" "
            "xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\">\n",
            (int)strcspn(box + 9, "\""), box + 9, f->name, f->name);
    write_description(f, out);
    write_marked(f, canvas, canvas + strlen(canvas), out);
    return true;
}
