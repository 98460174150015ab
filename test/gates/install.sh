#!/bin/sh
# Installs below a scratch directory, builds and runs a C and a C++ program on what is there, shared
# and static, runs the installed program, uninstalls.
. "$(dirname "$0")/common.sh"
needs "${CC%% *}" "$GXX" pkg-config readelf
scratch
stage=$tmp/stage base=/opt/lnstab
lib=$stage$base/lib/here
set -- DESTDIR="$stage" prefix=$base exec_prefix=$base bindir=$base/bin libdir=$base/lib/here \
    includedir=$base/include datarootdir=$base/share datadir=$base/share mandir=$base/share/man \
    pkgconfigdir=$base/lib/here/pkgconfig

"$MAKE" -s install "$@" >"$tmp/log" 2>&1 || { cat "$tmp/log"; echo "  make install fails"; exit 1; }

# What the .pc file says.
pc=$lib/pkgconfig/lnstab.pc
grep -n '^Requires.private' "$pc" >"$tmp/list" || :
none_of "$tmp/list" "lnstab.pc makes every user of the shared library have that module"
grep -n -e "$PWD" -e "$tmp" -e '@' "$pc" >"$tmp/list" || :
none_of "$tmp/list" "lnstab.pc names a build directory or an unset variable"
export PKG_CONFIG_PATH="$lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$stage"
version=$(pkg-config --modversion lnstab)
[ -e "$lib/liblnstab.so.$version" ] || wrong "lnstab.pc says $version, liblnstab.so.$version is not there"

build_and_run() { # WHAT PKG-CONFIG-OPTION
    for try in "$CC -std=c99:c" "$GXX -std=c++11:cpp"; do
        compiler=${try%:*} suffix=${try#*:}
        # shellcheck disable=SC2046,SC2086
        $compiler "test/gates/install/consumer.$suffix" $(pkg-config $2 --cflags --libs lnstab) $LDFLAGS \
            -o "$tmp/consumer" >"$tmp/log" 2>&1 ||
            { cat "$tmp/log"; wrong "consumer.$suffix, $1: does not build"; continue; }
        LD_LIBRARY_PATH=$3 "$tmp/consumer" || wrong "consumer.$suffix, $1: does not run"
    done
}
build_and_run shared '' "$lib"
readelf -d "$tmp/consumer" | grep -q 'NEEDED.*liblnstab' || wrong "the shared program does not use liblnstab.so"
mkdir "$tmp/aside"
mv "$lib"/liblnstab.so* "$tmp/aside"
build_and_run static --static ''
mv "$tmp/aside"/* "$lib"

for file in "$stage$base/bin/lnstab" "$lib/liblnstab.so"; do
    [ -e "$file" ] || { wrong "$file is not installed"; continue; }
    readelf -d "$file" | grep -E 'R(UN)?PATH' >"$tmp/list" || :
    none_of "$tmp/list" "$file has a path of the build in it"
done
LD_LIBRARY_PATH=$lib "$stage$base/bin/lnstab" help >"$tmp/log" 2>&1 ||
    { cat "$tmp/log"; wrong "the installed program does not run: lnstab help"; }

"$MAKE" -s uninstall "$@" >"$tmp/log" 2>&1 || { cat "$tmp/log"; wrong "make uninstall fails"; }
find "$stage" ! -type d >"$tmp/list"
none_of "$tmp/list" "left behind by make uninstall"
exit $bad
