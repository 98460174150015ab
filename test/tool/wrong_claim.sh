#!/bin/sh
# lnstab verify can fail: a claim that states something else is violated, or does not reproduce.
set -eu
cd "$(dirname "$0")/../.."
program=${LNSTAB:-build/lnstab}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# CC may hold options.
# shellcheck disable=SC2086
${CC:-cc} -std=c11 -Wall -Wextra -fPIC -shared -Iinclude test/tool/wrong_claim.c -o "$tmp/wrong.so" -ldl
if ! LD_PRELOAD=$tmp/wrong.so "$program" --version >/dev/null 2>&1; then
    echo "not run: this build does not let a library be loaded before it (a sanitizer)"
    exit 0
fi

failed=0
# verify CLAIM FACTOR STATUS WORDS [OPTION]...: what comes of it, in the exit status and in the report.
verify() {
    claim=$1 factor=$2 wanted=$3 words=$4 status=0
    shift 4
    LNSTAB_CLAIM=$claim LNSTAB_FACTOR=$factor LD_PRELOAD=$tmp/wrong.so "$program" verify \
        --claims "$claim" --grid "placement=post,peri L=2 d=32 rho=1" "$@" >"$tmp/out" || status=$?
    if [ "$status" != "$wanted" ] || ! grep -q "$words" "$tmp/out"; then
        echo "wrong: $claim times $factor $*: status $status, not $wanted with '$words'"
        failed=1
    fi
}

# Honest claims first. Each kind, at a factor that its tolerance must not hide.
verify bound.state 1 0 'holds'
verify bound.state 0.999999 1 'VIOLATED'
verify lemma4.projection 1.00000001 1 'VIOLATED'
verify lemma4.projection 0.99999999 1 'VIOLATED'
verify lemma2.lower 1.5 1 'VIOLATED' --seeds 24
verify lemma2.upper 0.7 1 'VIOLATED' --seeds 24
verify definition1.gaussian 0 1 'VIOLATED' --seeds 24
verify meanfield.state 1 0 'holds' --seeds 24
verify meanfield.state 1.4 0 'does not reproduce' --seeds 24
verify meanfield.state 0.6 0 'does not reproduce' --seeds 24
verify meanfield.cosine 0 0 'does not reproduce' --seeds 24
verify theorem1.printed 0.001 0 'does not reproduce' --seeds 24

# Whatever is asked for.
for words in '--csv -' '--json -' '--html -' '--format markdown' '--format latex' "--csv $tmp/csv"; do
    # shellcheck disable=SC2086
    verify bound.state 0.9 1 '' $words
done
exit $failed
