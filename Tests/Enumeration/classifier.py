"""How well timings tell two kinds of names apart: areas under the receiver's curve of several classifiers.

0.5 is a coin, 1 knows every name. A classifier that is wrong more often than a coin is turned round, so nothing is below 0.5.
"""

import bisect
import math
import statistics

BINS = 24
NEIGHBOURS = 10


def area(scores, labels):
    """The chance that a known name has the higher score than an unknown one; ties count half."""
    order = sorted(range(len(scores)), key=scores.__getitem__)
    ranks, at = 0.0, 0
    while at < len(order):
        end = at
        while end < len(order) and scores[order[end]] == scores[order[at]]:
            end += 1
        ranks += (at + end + 1) / 2 * sum(labels[order[place]] for place in range(at, end))
        at = end
    known = sum(labels)
    unknown = len(labels) - known
    return (ranks - known * (known + 1) / 2) / (known * unknown)


def turned(value):
    return max(value, 1 - value)


def without_drift(times):
    """Each time less the median of those around it: what the machine was busy with meanwhile drops out."""
    return [
        time - statistics.median(times[max(0, place - NEIGHBOURS):place + NEIGHBOURS + 1])
        for place, time in enumerate(times)
    ]


def trained(values, labels):
    """A classifier that learns on one half how likely each stretch of times is for a known name, and is judged on the other half; then the
    halves change places."""
    halves = [range(half, len(values), 2) for half in (0, 1)]
    areas = []
    for learn, judge in (halves, halves[::-1]):
        learnt = sorted(values[place] for place in learn)
        edges = [learnt[len(learnt) * bin // BINS] for bin in range(1, BINS)]
        counts = [[1, 1] for _ in range(BINS)]
        for place in learn:
            counts[bisect.bisect(edges, values[place])][labels[place]] += 1
        scores = [math.log(known / unknown) for unknown, known in counts]
        areas.append(area([scores[bisect.bisect(edges, values[place])] for place in judge],
                          [labels[place] for place in judge]))
    return statistics.mean(areas)


def areas(times, labels):
    """{classifier: its area}."""
    steady = without_drift(times)
    return {
        "slower or faster": turned(area(times, labels)),
        "the same without drift": turned(area(steady, labels)),
        "trained": turned(trained(times, labels)),
        "trained without drift": turned(trained(steady, labels)),
    }


def uncertainty(labels):
    """The standard deviation of an area where there is nothing to tell."""
    known = sum(labels)
    unknown = len(labels) - known
    return math.sqrt((len(labels) + 1) / (12 * known * unknown))
