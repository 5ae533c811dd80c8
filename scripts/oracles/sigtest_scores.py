"""Make the answers that bootstrap intervals of scores in mlcore/sigtest are tested against,
with SciPy.

    python sigtest_scores.py

writes mlcore/sigtest/testdata/peers_scores.json: made-up labels and predictions, and the
intervals of scipy.stats.bootstrap for scores of them, for the difference of two models on
the same rows, and within classes.
"""

import json
import os
import platform

import numpy as np
import scipy
from scipy import stats

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "..", "..", "mlcore", "sigtest", "testdata", "peers_scores.json")
RESAMPLES = 100000
LEVEL = 0.9


def auc_of(y, p):
    """The area for counts of rows, from a table of all pairs."""
    pos, neg = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
    above = (p[pos][:, None] > p[neg][None, :]) + 0.5 * (p[pos][:, None] == p[neg][None, :])

    def auc(rows):
        w = np.bincount(rows, minlength=len(y)).astype(float)
        return w[pos] @ above @ w[neg] / (w[pos].sum() * w[neg].sum())

    return auc


def interval(name, samples, score, kind, error):
    ci = stats.bootstrap(samples, score, n_resamples=RESAMPLES, confidence_level=LEVEL, method=kind, vectorized=False, rng=np.random.default_rng(7)).confidence_interval
    return {"score": name, "kind": kind, "level": LEVEL, "ci": [float(ci.low), float(ci.high)], "error": error}


def spread(samples, score):
    rng = np.random.default_rng(8)
    return float(np.std([score(*[rng.choice(s, len(s)) for s in samples]) for _ in range(2000)]))


def main():
    rng = np.random.default_rng(42)
    n = 60
    y = (rng.random(n) < 0.4).astype(int)
    p = np.round(np.clip(0.35 + 0.25 * y + rng.normal(size=n) * 0.2, 0, 1), 3)
    q = np.round(np.clip(0.45 + 0.08 * y + rng.normal(size=n) * 0.2, 0, 1), 3)
    target = np.round(rng.exponential(size=n), 4)
    guess = np.round(target + rng.normal(size=n) * 0.7, 4)
    auc, other = auc_of(y, p), auc_of(y, q)

    def r2(rows):
        t, g = target[rows], guess[rows]
        return 1 - ((t - g) ** 2).sum() / ((t - t.mean()) ** 2).sum()

    rows = np.arange(n)
    scores = {
        "auc": ((rows,), auc),
        "difference": ((rows,), lambda r: auc(r) - other(r)),
        "r2": ((rows,), r2),
        "auc within classes": ((np.flatnonzero(y == 0), np.flatnonzero(y == 1)), lambda a, b: auc(np.concatenate([a, b]))),
    }
    intervals = []
    for name, (samples, score) in scores.items():
        error = spread(samples, score)
        for kind in ("percentile", "basic", "BCa"):
            intervals.append(interval(name, samples, score, kind, error))
    made_by = {"script": "scripts/oracles/sigtest_scores.py", "python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__}
    data = {"made_by": made_by, "y": y.tolist(), "p": p.tolist(), "q": q.tolist(), "target": target.tolist(), "guess": guess.tolist(), "intervals": intervals}
    with open(OUT, "w", encoding="utf-8") as f:
        json.dump(data, f, separators=(",", ":"), allow_nan=False)
        f.write("\n")


if __name__ == "__main__":
    main()
