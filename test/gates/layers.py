#!/usr/bin/env python3
"""Who may include and call what in lib/ and examples/ (doc/architecture.md)."""
import pathlib
import re
import sys

ORDER = ["base", "math", "nn", "model", "analysis", "api"]  # a folder sees itself and those before
CBLAS_FILE = "lib/math/blas_cblas.c"
MEMORY_FILE = "lib/base/memory.c"
MEMORY = "malloc calloc realloc free aligned_alloc posix_memalign memalign valloc strdup strndup alloca"
FORBIDDEN = {
    "stream input or output": "FILE stdin stdout stderr printf fprintf vprintf vfprintf dprintf puts"
    " fputs putchar putc fputc fopen fdopen freopen fclose fread fwrite fgets fgetc getc getchar scanf"
    " fscanf fflush perror tmpfile",
    "a call that ends or interrupts the host": "abort exit _exit _Exit quick_exit atexit assert signal"
    " sigaction raise longjmp setjmp",
    "state of the whole process": "getenv secure_getenv setenv putenv setlocale rand srand random"
    " drand48 strtok localtime gmtime strerror",
    "a call that allocates": "qsort asprintf vasprintf getline open_memstream",
}

wrong = 0


def fault(path, text):
    global wrong
    wrong += 1
    print(f"  {path}: {text}")


def code(path):
    """The file without comments; strings kept, since #include needs them."""
    text = path.read_text(encoding="utf-8")
    keep = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\''
    return re.sub(rf"({keep})|/\*.*?\*/|//[^\n]*", lambda m: m[1] or " ", text, flags=re.S)


def includes(text):
    return re.findall(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', text, flags=re.M)


def check_library(path):
    parts = path.parts  # lib, folder, file
    if len(parts) != 3 or parts[1] not in ORDER:
        fault(path, "not in one of lib/{" + ",".join(ORDER) + "}/")
        return
    text = code(path)
    below = ORDER[: ORDER.index(parts[1]) + 1]
    for kind, name in includes(text):
        if name == "cblas.h":
            if str(path) != CBLAS_FILE:
                fault(path, f"includes cblas.h, which only {CBLAS_FILE} may")
        elif kind == '"' and name != "lnstab.h":
            folder, _, file = name.partition("/")
            if folder not in ORDER or not file or "/" in file:
                fault(path, f'"{name}" is not "folder/file.h"')
            elif folder not in below:
                fault(path, f'lib/{parts[1]} may not include "{name}"')
    words = re.sub(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|^[ \t]*#[ \t]*include.*', " ", text, flags=re.M)
    words = re.sub(r"(\.|->)\s*\w+", " ", words)  # members may have any name
    used = set(re.findall(r"\b[A-Za-z_]\w*\b", words))
    called = set(re.findall(r"\b([A-Za-z_]\w*)\s*\(", words)) | (used & {"FILE", "stdin", "stdout", "stderr"})
    if str(path) != MEMORY_FILE:
        for name in sorted(used.intersection(MEMORY.split()) - {"free"}) + sorted({"free"} & called):
            fault(path, f"{name}, which only {MEMORY_FILE} may call")
    for what, names in FORBIDDEN.items():
        for name in sorted(called.intersection(names.split())):
            fault(path, f"{name}: {what}")


def check_program(path):
    text = code(path)
    for _, name in includes(text):
        if name.partition("/")[0] in ORDER or ".." in name or name.startswith("lib/"):
            fault(path, f'includes "{name}": a program sees only lnstab.h')


def main():
    library = [p for p in sorted(pathlib.Path("lib").rglob("*")) if p.suffix in (".c", ".h")]
    for path in library:
        check_library(path)
    for path in sorted(pathlib.Path("examples").rglob("*.[ch]")):
        check_program(path)
    for path in sorted(pathlib.Path("test/api").rglob("*.[ch]")):
        check_program(path)
    if not library:
        fault("lib", "there are no sources")
    sys.exit(1 if wrong else 0)


main()
