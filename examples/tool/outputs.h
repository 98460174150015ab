/* The files and directories that a verb writes. */
#ifndef TOOL_OUTPUTS_H
#define TOOL_OUTPUTS_H

#include "document.h"
#include "options.h"

enum output { OUTPUT_CSV, OUTPUT_JSON, OUTPUT_HTML, OUTPUT_FILES };

struct outputs {
    FILE *file[OUTPUT_FILES]; /* NULL where the option was not given                    */
    bool printed;             /* the report goes to standard output: no file is there   */
    enum document_format format;
    const char *tables, *figures; /* directories, or NULL */
    bool png;
};

/* The rows that verbs with a report have: those of a document, and those of its figures. */
#define FORMAT_OPTIONS                                                                             \
    {"--format", "FORMAT", "text", "of the tables on standard output: text, markdown or latex",    \
     false},                                                                                       \
    {                                                                                              \
        "--tables", "DIR", NULL, "every table as DIR/NAME.csv, and DIR/meta.json", false           \
    }
#define FIGURE_OPTIONS                                                                             \
    {"--figures", "DIR", NULL,                                                                     \
     "figures as DIR/NAME.svg, with the NAME.csv and NAME.gp that gnuplot makes them from",        \
     false},                                                                                       \
    {                                                                                              \
        "--png", NULL, NULL, "figures as DIR/NAME.png too", false                                  \
    }
#define PAGE_OPTION                                                                                \
    {                                                                                              \
        "--html", "FILE", NULL,                                                                    \
            "all of it as one page that needs nothing else; - is standard output, instead of "     \
            "the\n"                                                                                \
            "tables",                                                                              \
            false                                                                                  \
    }
#define DOCUMENT_OPTIONS FORMAT_OPTIONS, PAGE_OPTION
#define REPORT_OPTIONS FORMAT_OPTIONS, FIGURE_OPTIONS, PAGE_OPTION

/* What can be known of the options before anything is made. No two paths may be one file, be they given,
 * read (--text, --resume), or one of names, the tables and figures that go into the directories (NULL
 * behind the last). What needs gnuplot finds out here that it is missing. False after one line on
 * stderr. */
bool outputs_check(struct outputs *out, const struct options *o, const char *const *names);

/* Opens what the options name, as far as the verb has them, and makes the directories. False after one
 * line on stderr; outputs_close is needed in either case. */
bool outputs_open(struct outputs *out, const struct options *o, const char *const *names,
                  const struct origin *origin);

/* Writes the report wherever it was asked for; false after one line on stderr. */
bool outputs_report(const struct outputs *out, struct document *d, const struct origin *origin);

/* What is left where a run was interrupted. */
void outputs_interrupted(const struct outputs *out);

/* False after one line on stderr if not everything could be written. */
bool outputs_close(struct outputs *out);

#endif
