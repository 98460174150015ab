"""Compare both sides of every claim with the library's, at every place.

    check_claims.py [-q]        -q: only what differs
"""
import sys

import numpy as np

import claims_bounds    # noqa: F401  these fill the table
import claims_maps      # noqa: F401
import claims_xiong     # noqa: F401
import lnstab
import theory
from claims_cases import cases
from claims_scene import Unavailable
from claims_table import CERTIFIED, CLAIMS, LANCZOS, PLAIN, STATES

UNAVAILABLE = -5
LEVELS = {'epsilon': (0.1, 0.5), 'level': (0.1, 0.7)}
NOTHING = 1e-9  # the rounding of a bound or an iteration that is 0
AT_LEAST = 8    # places where a claim has to be compared
# How far below and above the value a side may be: CERTIFIED and LANCZOS of
# |value|, the others of max(1, |value|); STATES also of a float32 model's.
LIMITS = {PLAIN: (1e-12, 1e-12), CERTIFIED: (1e-13, 1e-7),
          LANCZOS: (1e-6, 1e-6), STATES: (1e-12, 1e-12)}
LIMITS_FLOAT32 = dict(LIMITS, **{STATES: (1e-4, 1e-4), LANCZOS: (1e-5, 1e-5)})


class Report:
    def __init__(self):
        self.faults = []
        self.compared = dict.fromkeys(CLAIMS, 0)
        self.refused = dict.fromkeys(CLAIMS, 0)
        self.worst = dict.fromkeys(CLAIMS, 0.0)
        self.where = ''

    def fault(self, *words):
        self.faults.append(self.where + ' '.join(map(str, words)))

    def compare(self, name, side, limits, how, got, wanted):
        """The error over the tolerance."""
        low, high = limits[how]
        size = max(abs(wanted), 1.0 if how in (PLAIN, STATES) else NOTHING)
        error = got - wanted
        ratio = max(-error / low, error / high) / size
        if not ratio <= 1:
            self.fault(side, repr(got), 'is not', repr(wanted))
        self.worst[name] = max(self.worst[name], ratio)


def places(scene, place):
    """(the argument as text, its value) of each place of a claim."""
    if place is None:
        return [('', ())]
    values = {'layer': range(1, scene.depth + 1),
              'sublayer': range(1, scene.last + 2)}
    return [(f'{place}={v}', (v,))
            for v in values.get(place) or LEVELS[place]]


def both_sides(claim, scene, needs, arguments):
    """(stated, measured), or Unavailable; no finite value is none."""
    if scene.misses(needs):
        raise Unavailable('needs ' + ' '.join(scene.misses(needs)))
    with np.errstate(all='ignore'):
        sides = [float(v) for v in claim.sides(scene, *arguments)]
    if not np.isfinite(sides).all():
        raise Unavailable('no finite value')
    return sides


def holds(claim, stated, measured):
    slack = 1e-9 * max(1.0, abs(stated))
    return {'<=': measured <= stated + slack, '>=': measured >= stated - slack,
            '=': abs(measured - stated) <= slack}[claim.relation]


def visit(report, scene, name, needs, place):
    claim, (text, arguments) = CLAIMS[name], place
    status, stated, measured, said = scene.model.measure(name, text)
    if status not in (0, UNAVAILABLE):
        report.fault(f'status {status}:', said)
    try:
        wanted = both_sides(claim, scene, needs, arguments)
    except Unavailable as why:
        report.refused[name] += 1
        if status == 0 and np.isfinite([stated, measured]).all():
            report.fault(f'gave {stated} {measured}, not available:', why)
        return
    report.compared[name] += 1
    if status:
        report.fault('refused:', said, 'where it is', *wanted)
        return
    wide = scene.cfg['dtype'] == 'float64'
    limits = LIMITS if wide else LIMITS_FLOAT32
    report.compare(name, 'stated', limits, claim.stated, stated, wanted[0])
    report.compare(name, 'measured', limits, claim.measured, measured,
                   wanted[1])
    always = claim.kind in ('identity', 'inequality') and not scene.spoilt
    if wide and always and not holds(claim, stated, measured):
        report.fault(f'violated: {measured} {claim.relation} {stated}')


def table(report):
    """{name: needs} of the claims that a model measures."""
    known = {}
    for name, kind, relation, needs in lnstab.table(
            'claims', 'name', 'kind', 'relation', 'needs'):
        if not needs:
            continue
        known[name] = needs
        if name not in CLAIMS:
            report.fault(name, 'is not known to the oracle')
        elif (kind, relation) != (CLAIMS[name].kind, CLAIMS[name].relation):
            report.fault(name, 'is', kind, relation)
    for name in CLAIMS:
        if name not in known:
            report.fault(name, 'is not measured by the library')
    return {n: needs for n, needs in known.items() if n in CLAIMS}


def tails(report):
    """definition1.gaussian far from what models have."""
    for d in (1, 2, 3, 64, 513, 4096, 20001):
        for epsilon in (1e-3, 0.1, 0.9, 3, 10):
            _, got = lnstab.predict(f'width={d}', 'definition1.gaussian',
                                    f'epsilon={epsilon}')
            wanted = float(theory.gaussian_tail(d, epsilon))
            if not abs(got - wanted) <= 1e-12 * wanted + 1e-300:
                report.fault(f'tail {d} {epsilon}: {got!r} is not {wanted!r}')


def main(arguments):
    report = Report()
    tails(report)
    needs = table(report)
    for case in cases():
        scene = case.run()
        scene.spoilt = case.spoilt
        with scene.model:
            for name, words in needs.items():
                for place in places(scene, CLAIMS[name].place):
                    report.where = f'{name} {place[0]} of {case}: '
                    visit(report, scene, name, words, place)
    report.where = ''
    for name in needs:
        if report.compared[name] < AT_LEAST:
            report.fault(name, 'was compared', report.compared[name], 'times')
        if '-q' not in arguments:
            print(f'{name:32} compared {report.compared[name]:4} '
                  f'refused {report.refused[name]:4} '
                  f'worst {report.worst[name]:.2g} of the tolerance')
    print(*report.faults, f'{len(report.faults)} faults', sep='\n')
    return bool(report.faults)


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
