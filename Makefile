# lnstab: build, check, install.  GNU make 4; `make help` lists the targets.
#
# What the build finds out about the machine (BLAS, Check) is written to
# $(BUILD)/config.mk, a file that make itself remakes; nothing is probed while
# this file is read.  Another compiler, other flags or another BLAS rebuild
# everything; give BUILD=dir to keep two settings side by side.

# Each recipe is one shell script, which the first failing command ends.
.ONESHELL:
.SHELLFLAGS := -ec

BUILD ?= build
BLAS ?= auto#                 auto, or builtin: no CBLAS even if there is one
#                             BLAS_CFLAGS and BLAS_LIBS name one and skip the search
CFLAGS ?= -O2 -g
PKG_CONFIG ?= pkg-config
PYTHON ?= /usr/bin/python3
CLANG_FORMAT ?= clang-format
WERROR ?=#                    -Werror in the gates
DEMO_TEXT ?= $(firstword $(wildcard /usr/share/common-licenses/GPL-3 README.md LICENSE))

prefix ?= /usr/local
exec_prefix ?= $(prefix)
bindir ?= $(exec_prefix)/bin
libdir ?= $(exec_prefix)/lib
includedir ?= $(prefix)/include
datarootdir ?= $(prefix)/share
datadir ?= $(datarootdir)
mandir ?= $(datarootdir)/man
pkgconfigdir ?= $(libdir)/pkgconfig
INSTALL ?= install

WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes \
            -Wmissing-prototypes -Wvla -Walloca
FLAGS := -std=c11 -ffp-contract=off -fno-math-errno -fPIC $(WARNINGS) $(WERROR)

# ---- the machine and the version -------------------------------------------

SETTINGS := $(strip $(CC) | $(CPPFLAGS) | $(CFLAGS) | $(LDFLAGS) | $(WERROR) | $(BLAS) \
              | $(BLAS_CFLAGS) | $(BLAS_LIBS) | $(PKG_CONFIG))

NEEDS_NOTHING := help deps clean format format-check
ifneq ($(filter-out $(NEEDS_NOTHING),$(or $(MAKECMDGOALS),all)),)
include $(BUILD)/config.mk $(BUILD)/version.mk
ifneq ($(CONFIGURED_FOR),$(SETTINGS))
$(BUILD)/config.mk: FORCE
endif
ifneq ($(filter deps,$(MAKECMDGOALS)),)
$(BUILD)/config.mk: deps
endif
endif

$(BUILD)/version.mk: include/lnstab.h
	@mkdir -p $(@D)
	@sed -nE 's/^#define LNSTAB_VERSION_(MAJOR|MINOR|PATCH) +([0-9]+).*/\1 := \2/p' $< >$@

# The first BLAS with which a call of cblas_sgemm links.  Plain -lblas comes
# before OpenBLAS's own name, so that the administrator's choice of libblas.so.3
# holds.  The file keeps its time when nothing changed.
define CONFIGURE
t=$$(mktemp -d); trap 'rm -rf "$$t"' EXIT
echo '#include <cblas.h>' >"$$t/t.c"
echo 'int main(void) { float x = 0; cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans,' \
  '1, 1, 1, 1, &x, 1, &x, 1, 0, &x, 1); return 0; }' >>"$$t/t.c"
found() { kind=$$1 cflags=$$2 libs=$$3; }
try() { found "$$@"
  $(CC) $(CFLAGS) $$cflags "$$t/t.c" $(LDFLAGS) $$libs -lm -lpthread -o "$$t/t" >"$$t/log" 2>&1; }
module() { try $$1 "$$($(PKG_CONFIG) --cflags $$1 2>/dev/null)" "$$($(PKG_CONFIG) --libs $$1 2>/dev/null)"; }
accepted() { echo '#include <immintrin.h>' >"$$t/v.c"; ! $(CC) $(CFLAGS) $$1 -fsyntax-only "$$t/v.c" 2>/dev/null || echo $$1; }
case '$(BLAS):$(BLAS_CFLAGS)$(BLAS_LIBS)' in
builtin:*) found builtin ;;
auto:) module flexiblas || module cblas || module blas || try -lblas '' -lblas || module openblas || found builtin ;;
auto:*) try given '$(BLAS_CFLAGS)' '$(BLAS_LIBS)' || { cat "$$t/log" >&2
  echo 'BLAS_CFLAGS and BLAS_LIBS: a call of cblas_sgemm does not link' >&2; exit 1; } ;;
*) echo 'BLAS=$(BLAS): only auto and builtin are known' >&2; exit 1 ;;
esac
{ echo 'CONFIGURED_FOR := $(subst ','\'',$(SETTINGS))'
  echo "BLAS_KIND := $$kind"
  echo "USE_CFLAGS := $$(echo "$$cflags" | sed 's/-I */-isystem /g')"
  echo "USE_LIBS := $$libs"
  echo "AVX2_FLAGS := $$(accepted "-mavx2 -mfma")"
  echo "AVX512_FLAGS := $$(accepted -mavx512f)"
  echo "CHECK_CFLAGS := $$($(PKG_CONFIG) --cflags check 2>/dev/null || :)"
  echo "CHECK_LIBS := $$($(PKG_CONFIG) --libs check 2>/dev/null || :)"
} >"$$t/config.mk"
cmp -s "$$t/config.mk" $@ && ! [ Makefile -nt $@ ] || { cp "$$t/config.mk" $@; $(SAY) "lnstab: BLAS is $$kind $$libs"; }
endef

$(BUILD)/config.mk: Makefile
	@mkdir -p $(@D)
	@$(CONFIGURE)

# ---- the library -------------------------------------------------------------

LIB_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(wildcard lib/*/*.c))
TOOL_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(wildcard examples/tool/*.c))
EXAMPLES := $(patsubst %.c,$(BUILD)/%,$(wildcard examples/*.c))
SUPPORT_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(wildcard test/support/*.c))
UNIT := $(patsubst %_test.c,$(BUILD)/%,$(wildcard test/unit/*_test.c))
API := $(patsubst %_test.c,$(BUILD)/%,$(wildcard test/api/*_test.c))

VERSION = $(MAJOR).$(MINOR).$(PATCH)
SONAME = liblnstab.so.$(MAJOR)
STATIC := $(BUILD)/liblnstab.a
SHARED := $(BUILD)/liblnstab.so
TOOL := $(if $(TOOL_OBJ),$(BUILD)/lnstab)
TOOL_INSTALLED := $(if $(TOOL_OBJ),$(BUILD)/installed/lnstab)

all: libs $(TOOL) $(EXAMPLES) ## build the library, the program and the examples (the default)
libs: $(STATIC) $(SHARED) ## build the static and the shared library

SAY = $(if $(findstring s,$(firstword -$(MAKEFLAGS))),:,echo)
COMPILE = @mkdir -p $(@D); $(SAY) '  CC $<'; $(CC) $(CPPFLAGS) $(FLAGS) $(CFLAGS) -MMD -MP
LINK = @mkdir -p $(@D); $(SAY) '  LD $@'; $(CC) $(CFLAGS) $(LDFLAGS)
SYSLIBS := -lm -lpthread
CBLAS = $(if $(filter builtin,$(BLAS_KIND)),,-DLNSTAB_CBLAS $(USE_CFLAGS))
INSIDE = -Iinclude -Ilib -fvisibility=hidden $(CBLAS)
TEST_FLAGS = -Itest -DLNSTAB_TEST_DATA='"test/data"' $(CHECK_CFLAGS)

$(BUILD)/lib/%.o: lib/%.c $(BUILD)/config.mk
	$(COMPILE) $(INSIDE) -c $< -o $@
# Kernels for vectors that not every processor has: chosen when a handle is created.
$(BUILD)/lib/math/%_avx2.o: FLAGS += $(AVX2_FLAGS)
$(BUILD)/lib/math/%_avx512.o: FLAGS += $(AVX512_FLAGS)
$(BUILD)/examples/%.o: examples/%.c $(BUILD)/config.mk
	$(COMPILE) -Iinclude -c $< -o $@
$(BUILD)/test/unit/%.o: test/unit/%.c $(BUILD)/config.mk
	$(COMPILE) $(INSIDE) $(TEST_FLAGS) -c $< -o $@
# Vectors of eight without their registers; none is passed from one object to another.
$(BUILD)/test/unit/kernels_%_test.o: FLAGS += -Wno-psabi
$(BUILD)/test/%.o: test/%.c $(BUILD)/config.mk
	$(COMPILE) -Iinclude $(TEST_FLAGS) -c $< -o $@

# A source file that went away must leave the library too.
$(BUILD)/objects: FORCE
	@mkdir -p $(@D); echo '$(LIB_OBJ)' | cmp -s - $@ || echo '$(LIB_OBJ)' >$@

$(STATIC): $(LIB_OBJ) $(BUILD)/objects
	@$(SAY) '  AR $@'; rm -f $@; $(AR) rcs $@ $(LIB_OBJ)
$(SHARED).%: $(LIB_OBJ) $(BUILD)/objects lib/lnstab.map
	$(LINK) -shared -Wl,-soname,$(SONAME) -Wl,--version-script=lib/lnstab.map -Wl,-z,defs \
	  $(LIB_OBJ) $(USE_LIBS) $(SYSLIBS) -o $@
$(SHARED): $(SHARED).$(VERSION)
	@ln -sf liblnstab.so.$(VERSION) $(BUILD)/$(SONAME); ln -sf $(SONAME) $@

# ---- programs on the public header and the shared library ---------------------

$(BUILD)/lnstab: $(TOOL_OBJ) $(SHARED)
	$(LINK) $^ -Wl,-rpath,'$$ORIGIN' $(SYSLIBS) -o $@
$(BUILD)/installed/lnstab: $(TOOL_OBJ) $(SHARED)
	$(LINK) $^ $(SYSLIBS) -o $@
$(EXAMPLES): %: %.o $(SHARED)
	$(LINK) $^ -Wl,-rpath,'$$ORIGIN/..' $(SYSLIBS) -o $@

demo: $(BUILD)/lnstab ## the main job: Theorem 1 on random data, then on a text
	$(BUILD)/lnstab theorem1
	$(BUILD)/lnstab theorem1 --grid "d=256" --text $(DEMO_TEXT)

VERIFY := --grid "L=1,6,24 d=64,257,512 rho=1,4" --weights 500000
verify: $(BUILD)/lnstab ## hold every statement of the theory against every placement: 30 minutes of a processor
	mkdir -p $(BUILD)/verify
	$(BUILD)/lnstab verify $(VERIFY) --progress --csv $(BUILD)/verify/verify.csv \
	  --json $(BUILD)/verify/verify.json --html $(BUILD)/verify/verify.html >$(BUILD)/verify/verify.txt
	tail -n 1 $(BUILD)/verify/verify.txt

FIGURES := gradient_by_depth gradients_by_layer
figures: $(BUILD)/lnstab ## draw the figures of README and doc/guide.md anew, in half a minute
	rm -rf $(BUILD)/figures
	$(BUILD)/lnstab theorem1 --grid "placement=post,pre,peri L=1,3,6,12,24 d=64,128,256 rho=1" --figures $(BUILD)/figures >/dev/null
	$(BUILD)/lnstab compare post pre peri --figures $(BUILD)/figures >/dev/null
	for f in $(FIGURES); do cp $(BUILD)/figures/$$f.* doc/figures; done

# ---- tests --------------------------------------------------------------------

$(UNIT): %: %_test.o $(SUPPORT_OBJ) $(STATIC)
	$(LINK) $^ $(USE_LIBS) $(CHECK_LIBS) $(SYSLIBS) -o $@
$(API): %: %_test.o $(SUPPORT_OBJ) $(SHARED)
	$(LINK) $^ -Wl,-rpath,'$$ORIGIN/../..' $(CHECK_LIBS) $(SYSLIBS) -o $@

TEST_OBJ := $(UNIT:%=%_test.o) $(API:%=%_test.o) $(SUPPORT_OBJ)
.SECONDARY: $(TEST_OBJ)
$(TEST_OBJ): | has-check
has-check: FORCE
	@test -n '$(CHECK_LIBS)' || { echo 'the tests need Check (pkg-config check): make deps' >&2; exit 1; }

FAST_GATES := layers symbols imports sections map constants header subnormals format docs documents examples install
SLOW_GATES := abi bare warnings builtin sanitizers torch claims blas onnx mistakes product page shell verify
GATES = BUILD='$(BUILD)' CC='$(CC)' LDFLAGS='$(LDFLAGS)' PYTHON='$(PYTHON)' MAKE='$(MAKE)' \
        CLANG_FORMAT='$(CLANG_FORMAT)' test/gates/run.sh

tests: $(UNIT) $(API) ## build the test programs

check: check-programs check-tool check-fast ## the tests and the fast gates: 5 minutes, 3 with -j2

# A test is a target of its own, so that with -j several run at once; all run, and the whole fails if one does.
RUN_PROGRAMS := $(API:%=run/%) $(UNIT:%=run/%)
RUN_SCRIPTS := $(addprefix run/,$(sort $(wildcard test/tool/*.sh test/tool/*.py)))
EACH := -k --no-print-directory
define RUN
@export LNSTAB='$(BUILD)/lnstab' BUILD='$(BUILD)' CC='$(CC)' CK_DEFAULT_TIMEOUT=$${CK_DEFAULT_TIMEOUT:-120}
status=0; said=$$(echo '== $<'; $(1) $< 2>&1 || { echo 'failed: $<'; exit 1; }) || status=1
printf '%s\n' "$$said"; exit $$status
endef

check-programs: tests ## run the unit and api tests
	@test -n '$(strip $(UNIT) $(API))' || { echo 'there is no test program' >&2; exit 1; }
	$(MAKE) $(EACH) $(RUN_PROGRAMS)
$(RUN_PROGRAMS): run/%: %
	$(call RUN,)

check-tool: all ## run the tests of the program
	@$(MAKE) $(EACH) $(RUN_SCRIPTS)
$(filter %.sh,$(RUN_SCRIPTS)): run/%: %
	$(call RUN,bash)
$(filter %.py,$(RUN_SCRIPTS)): run/%: %
	$(call RUN,'$(PYTHON)')

check-fast: all $(TOOL_INSTALLED) ## run the fast gates
	@$(GATES) $(FAST_GATES)

check-gates: all ## run the slower gates: ABI, both compilers, built-in BLAS, sanitizers, PyTorch
	@$(GATES) $(SLOW_GATES)

check-torch: libs ## compare the library with PyTorch and print how far they are apart (in check-gates too)
	@BUILD='$(BUILD)' $(PYTHON) -B test/parity/check_torch.py

BENCHES := $(patsubst test/bench/%.c,$(BUILD)/bench/%,$(filter-out %_step.c,$(wildcard test/bench/*.c)))
$(filter-out %/floor,$(BENCHES)): $(BUILD)/bench/%: $(BUILD)/test/bench/%.o $(SHARED)
	$(LINK) $^ -Wl,-rpath,'$$ORIGIN/..' $(SYSLIBS) -o $@

# The floor is of the BLAS that the library has, and of nothing else.
FLOOR := $(BUILD)/test/bench/floor.o $(BUILD)/test/bench/floor_step.o
$(FLOOR): $(BUILD)/test/bench/%.o: test/bench/%.c test/bench/floor_step.h $(BUILD)/config.mk
	$(COMPILE) $(CBLAS) -c $< -o $@
$(BUILD)/bench/floor: $(FLOOR)
	$(LINK) $^ $(USE_LIBS) $(SYSLIBS) -o $@

BENCH = BUILD='$(BUILD)' FLAGS='$(CC) $(FLAGS) $(CFLAGS)' $(PYTHON) -B test/bench
bench: $(BENCHES) ## time the library next to its own floors and to numpy: a table, and build/bench/bench.csv
	@$(BENCH)/bench.py $(BENCH_ARGUMENTS)
bench-torch: $(BENCHES) $(TOOL) ## the same next to PyTorch too: the better part of an hour
	@$(BENCH)/bench.py --torch $(BENCH_ARGUMENTS)
bench-growth: $(BENCHES) ## how a step's time grows with d, T, L and B: exponents, and build/bench/growth.svg
	@$(BENCH)/growth.py $(GROWTH_ARGUMENTS)
bench-memory: $(BENCHES) ## what S4 and GPT-2 XL take by recompute, and for how much time: up to 23 GB
	@$(BENCH)/memory.py $(MEMORY_ARGUMENTS)

installcheck: all $(TOOL_INSTALLED) ## install into a scratch directory and use what is there
	@$(GATES) install

release: ## write test/abi/RELEASE.abi, which later builds are compared with
	@BUILD='$(BUILD)' MAKE='$(MAKE)' sh test/gates/abi.sh --write

SOURCES = find include lib examples test -path test/gates/planted -prune -o -name '*.[ch]' -print
format: ## format the C sources in place
	@$(SOURCES) | xargs $(CLANG_FORMAT) -i
format-check: ## say which C sources are not formatted
	@$(SOURCES) | xargs $(CLANG_FORMAT) --dry-run --Werror

# ---- installation -----------------------------------------------------------

D = $(DESTDIR)
PAGES := $(wildcard doc/man/*.[1-9])
install: libs $(TOOL_INSTALLED) ## install under DESTDIR and prefix (bindir, libdir, ... as GNU has them)
	$(INSTALL) -d $(D)$(libdir) $(D)$(includedir) $(D)$(pkgconfigdir)
	$(INSTALL) -m 644 include/lnstab.h $(D)$(includedir)/lnstab.h
	$(INSTALL) -m 644 $(STATIC) $(D)$(libdir)/liblnstab.a
	$(INSTALL) -m 755 $(SHARED).$(VERSION) $(D)$(libdir)/liblnstab.so.$(VERSION)
	ln -sf liblnstab.so.$(VERSION) $(D)$(libdir)/$(SONAME)
	ln -sf $(SONAME) $(D)$(libdir)/liblnstab.so
	sed -e 's|@prefix@|$(prefix)|' -e 's|@exec_prefix@|$(exec_prefix)|' -e 's|@libdir@|$(libdir)|' \
	  -e 's|@includedir@|$(includedir)|' -e 's|@version@|$(VERSION)|' \
	  -e 's|@private_libs@|$(strip $(USE_LIBS) $(SYSLIBS))|' lnstab.pc.in >$(BUILD)/lnstab.pc
	$(INSTALL) -m 644 $(BUILD)/lnstab.pc $(D)$(pkgconfigdir)/lnstab.pc
	$(if $(TOOL),$(INSTALL) -d $(D)$(bindir) && $(INSTALL) -m 755 $(TOOL_INSTALLED) $(D)$(bindir)/lnstab)
	for p in $(PAGES); do d=$(D)$(mandir)/man$${p##*.}; $(INSTALL) -d $$d; $(INSTALL) -m 644 $$p $$d; done
uninstall: ## remove what install wrote, with the same variables
	rm -f $(D)$(includedir)/lnstab.h $(D)$(libdir)/liblnstab.a $(D)$(libdir)/liblnstab.so.$(VERSION) \
	  $(D)$(libdir)/$(SONAME) $(D)$(libdir)/liblnstab.so $(D)$(pkgconfigdir)/lnstab.pc $(D)$(bindir)/lnstab
	for p in $(PAGES); do rm -f $(D)$(mandir)/man$${p##*.}/$${p##*/}; done

# ---- what the machine needs ------------------------------------------------

# One line a package, with the question that shows it is there.
define FIND_MISSING
missing=
need() { p=$$1; shift; "$$@" >/dev/null 2>&1 || missing="$$missing $$p"; }
compiles() { echo "$$2" | $$1 -fsyntax-only -; }
need gcc command -v cc
need binutils command -v readelf
need libc6-dev compiles 'cc -x c' '#include <stdio.h>'
need g++ compiles 'c++ -x c++' '#include <vector>'
need pkg-config command -v $(PKG_CONFIG)
need check $(PKG_CONFIG) --exists check
need libopenblas-dev compiles 'cc -x c' '#include <cblas.h>'
need clang command -v clang
need clang-format command -v $(CLANG_FORMAT)
need abigail-tools command -v abidw
need shellcheck command -v shellcheck
need python3 $(PYTHON) -c ''
need python3-numpy $(PYTHON) -c 'import numpy'
need python3-torch $(PYTHON) -c 'import torch'
need libopenblas0-pthread test -e "$$(echo /usr/lib/*/openblas-pthread/libblas.so.3)"
need libopenblas0-openmp test -e "$$(echo /usr/lib/*/openblas-openmp/libblas.so.3)"
need libblis4-pthread test -e "$$(echo /usr/lib/*/blis-pthread/libblas.so.3)"
need libblas3 test -e "$$(echo /usr/lib/*/blas/libblas.so.3)"
need gnuplot-nox gnuplot --version
need chromium command -v chromium
need chromium-driver command -v chromedriver
need python3-selenium $(PYTHON) -c 'import selenium'
need libonnx-testdata test -d /usr/share/libonnx-testdata
endef
define DEPS
$(FIND_MISSING)
if [ -n "$$missing" ] && command -v apt-get >/dev/null; then
  sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo
  echo "installing:$$missing"
  $$sudo apt-get update
  $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $$missing
  $(FIND_MISSING)
fi
[ -z "$$missing" ] || { echo "install these (Debian's names) and repeat:$$missing" >&2; exit 1; }
endef
deps: ## install what is missing (Debian, Ubuntu); elsewhere say what is
	@$(DEPS)

clean: ## remove the build directory
	rm -rf $(BUILD)
help: ## list the targets
	@sed -nE 's/^([a-z][a-z-]*):.*## (.*)/\1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "  %-16s %s\n", $$1, $$2 }'

.PHONY: all libs demo figures verify tests bench bench-torch bench-growth bench-memory check check-programs check-tool check-fast check-gates check-torch installcheck \
        release format format-check install uninstall deps clean help
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
FORCE:

-include $(patsubst %.o,%.d,$(LIB_OBJ) $(TOOL_OBJ) $(EXAMPLES:%=%.o) $(TEST_OBJ) $(BENCHES:$(BUILD)/bench/%=$(BUILD)/test/bench/%.o))
