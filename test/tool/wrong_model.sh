#!/bin/sh
# The verdicts can fail: a model that is not what was asked for differs from its prediction.
set -eu
cd "$(dirname "$0")/../.."
program=${LNSTAB:-build/lnstab}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# CC may hold options.
# shellcheck disable=SC2086
${CC:-cc} -std=c11 -Wall -Wextra -fPIC -shared -Iinclude test/tool/wrong_model.c -o "$tmp/wrong.so" -ldl
if ! LD_PRELOAD=$tmp/wrong.so "$program" --version >/dev/null 2>&1; then
    echo "not run: this build does not let a library be loaded before it (a sanitizer)"
    exit 0
fi

failed=0
# verdict KEYS PLACEMENT: writes the verdicts for a model that has KEYS set behind its back.
verdict() {
    LNSTAB_WRONG=$1 LD_PRELOAD=$tmp/wrong.so "$program" theorem1 --seeds 8 \
        --grid "placement=$2 L=1,2,4 d=64,128 rho=1,4" >"$tmp/out" || echo "exit status $?" >>"$tmp/out"
}
differs() {
    verdict "$1" "$2"
    if ! grep -q 'differs' "$tmp/out"; then
        echo "wrong: $2 with $1 is not found out"
        failed=1
    fi
}

verdict '' peri
if grep -q 'differs' "$tmp/out"; then
    echo "wrong: an honest model differs"
    failed=1
fi
differs norm_out=0 peri
differs beta=1 peri:beta=0.1
differs alpha=0 pre
differs gain_w2=0.7 post

# The same of a design that is checked.
checked() {
    LNSTAB_WRONG=$1 LD_PRELOAD=$tmp/wrong.so "$program" check "$2" --seeds 8 \
        --set "width=128 ffn_width=128 gain_qk=0 input=embedded" >"$tmp/out" || echo "exit status $?" >>"$tmp/out"
}
check_differs() {
    checked "$1" "$2"
    if ! grep -q 'warning: differs' "$tmp/out"; then
        echo "wrong: check $2 with $1 is not found out"
        failed=1
    fi
}
checked '' peri:beta=0.5
if grep -q 'differ' "$tmp/out"; then
    echo "wrong: an honest design differs"
    failed=1
fi
check_differs norm_out=0 peri:beta=0.5
check_differs 'alpha=0.5 beta=0.9' peri:alpha=0.9:beta=0.5
check_differs alpha=0 pre
check_differs ffn.beta=1 peri:beta=0.5
check_differs layer.2.norm_in=0 pre
checked norm_res=0 post
if ! grep -q 'the bound does not hold' "$tmp/out" || ! grep -q 'exit status 1' "$tmp/out"; then
    echo "wrong: post without N_res does not violate its bound"
    failed=1
fi

# Lemma 2 is proved, so that its violation is an exit status of its own.
verdict gain_w2=3 pre
if ! grep -q 'VIOLATED' "$tmp/out" || ! grep -q 'exit status 1' "$tmp/out"; then
    echo "wrong: pre with gain_w2=3 does not violate Lemma 2"
    failed=1
fi

# Whatever is asked for, and from a checkpoint whose runs are all done.
small="--seeds 8 --grid placement=pre --grid L=2,4 --grid d=64 --grid rho=1"
for words in '' '--csv -' '--json -' "--csv $tmp/csv --json $tmp/json" "--resume $tmp/checkpoint" \
    "--resume $tmp/checkpoint --csv -" "--resume $tmp/checkpoint --json -"; do
    status=0
    # shellcheck disable=SC2086
    LNSTAB_WRONG=gain_w2=3 LD_PRELOAD=$tmp/wrong.so "$program" theorem1 $small $words >"$tmp/out" || status=$?
    if [ $status != 1 ]; then
        echo "wrong: exit status $status with '$words' where Lemma 2 is violated"
        failed=1
    fi
done
# shellcheck disable=SC2086
if "$program" theorem1 $small --resume "$tmp/checkpoint" >"$tmp/out" 2>&1 ||
    ! grep -q 'other numbers' "$tmp/out"; then
    echo "wrong: an honest run goes on from another's numbers"
    failed=1
fi
exit $failed
