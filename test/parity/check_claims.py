"""Compare both sides of every claim with the library's, at every place.

    check_claims.py [-q] [perturb=CLAIM]     CLAIM: this oracle's, times 1.05
"""
import sys

import numpy as np

import claims_bounds    # noqa: F401  these fill the table
import claims_maps      # noqa: F401
import claims_xiong     # noqa: F401
import lnstab
from claims_cases import cases
from claims_scene import Unavailable
from claims_table import CERTIFIED, CLAIMS, LANCZOS

UNAVAILABLE = -5
LEVELS = {'epsilon': (0.1, 0.5), 'level': (0.1, 0.7)}
AT_LEAST = 8
#   how far a side may be from the oracle's, below and above, of its size
EXACT = {'float64': 1e-12, 'float32': 1e-12}
LIMITS = {CERTIFIED: (1e-12, 1e-7), LANCZOS: (1e-6, 1e-6)}


class Report:
    def __init__(self):
        self.faults = []
        self.compared = dict.fromkeys(CLAIMS, 0)
        self.refused = dict.fromkeys(CLAIMS, 0)
        self.worst = dict.fromkeys(CLAIMS, 0.0)

    def fault(self, *words):
        self.faults.append(' '.join(map(str, words)))


def places(scene, place):
    if place is None:
        return [('', ())]
    values = {'layer': range(1, scene.depth + 1),
              'sublayer': range(1, scene.last + 2)}
    return [(f'{place}={v}', (v,))
            for v in values.get(place) or LEVELS[place]]


def both_sides(claim, scene, arguments):
    """(stated, measured), or Unavailable; no finite value is none."""
    with np.errstate(all='ignore'):
        sides = [float(v) for v in claim.sides(scene, *arguments)]
    if not np.isfinite(sides).all():
        raise Unavailable('no finite value')
    return sides


def compare(report, name, side, how, got, wanted):
    """The error over the tolerance."""
    low, high = LIMITS.get(how, (1e-12, 1e-12))
    size = max(1.0, abs(wanted)) if how not in LIMITS else abs(wanted)
    error = got - wanted
    ratio = max(-error / low, error / high) / (size or 1.0)
    if not ratio <= 1:
        report.fault(side, repr(got), 'is not', repr(wanted))
    report.worst[name] = max(report.worst[name], ratio)


def holds(claim, stated, measured):
    slack = 1e-9 * max(1.0, abs(stated))
    return {'<=': measured <= stated + slack, '>=': measured >= stated - slack,
            '=': abs(measured - stated) <= slack}[claim.relation]


def visit(report, scene, name, needs, factor):
    claim = CLAIMS[name]
    for text, arguments in places(scene, claim.place):
        status, stated, measured, said = scene.model.measure(name, text)
        start = len(report.faults)
        try:
            if scene.misses(needs):
                raise Unavailable('needs ' + ' '.join(scene.misses(needs)))
            wanted = both_sides(claim, scene, arguments)
        except Unavailable as why:
            report.refused[name] += 1
            if status == 0 and np.isfinite([stated, measured]).all():
                report.fault(f'gave {stated} {measured}, not available:', why)
            elif status not in (0, UNAVAILABLE):
                report.fault(f'status {status}:', said)
        else:
            report.compared[name] += 1
            if status:
                report.fault('refused:', said, 'where it is', *wanted)
                stated = measured = None
            else:
                compare(report, name, 'stated', claim.stated, stated,
                        wanted[0] * factor)
                compare(report, name, 'measured', claim.measured, measured,
                        wanted[1])
                if claim.kind in ('identity', 'inequality') \
                        and scene.cfg['dtype'] == 'float64' \
                        and not holds(claim, stated, measured):
                    report.fault(f'violated: {measured} {claim.relation} '
                                 f'{stated}')
        report.faults[start:] = [f'{name} {text} of {scene.model.text}: {f}'
                                 for f in report.faults[start:]]


def table(report):
    """{name: needs} of the claims that a model measures."""
    known = {}
    for name, kind, relation, needs, arguments in lnstab.table(
            'claims', 'name', 'kind', 'relation', 'needs', 'arguments'):
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


def main(arguments):
    perturbed = [a.split('=')[1] for a in arguments if '=' in a]
    report = Report()
    needs = table(report)
    for case in cases():
        scene = case.run()
        with scene.model:
            scene.model.text = f'{case.text} {case.shape} {case.weights}'
            for name, words in needs.items():
                factor = 1.05 if name in perturbed else 1.0
                visit(report, scene, name, words, factor)
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
