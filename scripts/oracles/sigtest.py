"""Make the answers that mlcore/sigtest is tested against, with scipy.

    python sigtest.py

writes mlcore/sigtest/testdata/peers.json: made-up data and the answers for them.
What scipy lacks (McNemar, 5x2cv, corrected resampled t, Iman-Davenport, Holm) is
written out here from the papers' formulas on numpy and scipy's distributions.
"""

import json
import os
import platform

import numpy as np
import scipy
from scipy import stats

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
OUT = os.path.join(ROOT, "mlcore", "sigtest", "testdata", "peers.json")
SIDES = ["two-sided", "greater", "less"]


def intervals():
    out = []
    for n in (1, 2, 5, 11, 50, 156, 1000, 20000):
        for k in sorted({0, 1, n // 50, n // 5, n // 2, n - 1, n}):
            for level in (0.5, 0.9, 0.95, 0.999):
                test = stats.binomtest(k, n)
                w = test.proportion_ci(level, "wilson")
                e = test.proportion_ci(level, "exact")
                # The inverse of the beta distribution that binomtest would want:
                # its own root finder stops at 2e-12.
                tail = (1 - level) / 2
                exact = [0.0 if k == 0 else float(stats.beta.ppf(tail, k, n - k + 1)), 1.0 if k == n else float(stats.beta.isf(tail, k + 1, n - k))]
                assert np.allclose(exact, [e.low, e.high], rtol=0, atol=1e-8)
                half = stats.norm.isf(tail) * np.sqrt(k / n * (1 - k / n) / n)
                normal = [max(0.0, k / n - half), min(1.0, k / n + half)]
                out.append({"k": k, "n": n, "level": level, "wilson": [w.low, w.high], "exact": exact, "normal": normal})
    return out


def bootstraps(rng):
    out = []
    samples = {
        "losses": (rng.random(80) < 0.2).astype(float),
        "skewed": np.round(rng.exponential(size=40), 6),
        "differences": np.round(rng.normal(0.3, 1, size=25), 6),
    }
    for name, x in samples.items():
        for method in ("percentile", "BCa"):
            for level in (0.8, 0.95):
                ci = stats.bootstrap((x,), np.mean, n_resamples=400000, batch=20000, confidence_level=level, method=method, rng=np.random.default_rng(7)).confidence_interval
                out.append({"name": name, "values": x.tolist(), "kind": method, "level": level, "ci": [ci.low, ci.high], "error": float(x.std(ddof=1) / np.sqrt(len(x)))})
    return out


def answer(r):
    return [float(r.statistic), float(r.pvalue), float(getattr(r, "df", 0))]


def pairs(rng):
    yield "folds", np.round(rng.normal(0.85, 0.02, 10), 4), np.round(rng.normal(0.83, 0.02, 10), 4)
    yield "repeated folds", np.round(rng.normal(0.85, 0.02, 50), 6), np.round(rng.normal(0.845, 0.03, 50), 6)
    yield "far apart", rng.normal(0, 1, 30), rng.normal(9, 1, 30)
    yield "losses", (rng.random(60) < 0.3).astype(float), (rng.random(60) < 0.15).astype(float)
    yield "ties and zeros", rng.integers(0, 6, 40).astype(float), rng.integers(0, 5, 40).astype(float)
    yield "few, ties and zeros", np.array([3.0, 5, 2, 8, 1, 9, 4, 4, 6]), np.array([1.0, 5, 3, 5, 2, 4, 4, 6, 1])
    yield "two", np.array([0.4, 0.7]), np.array([0.1, 0.6])


def paired(rng):
    out = []
    for name, a, b in pairs(rng):
        d = a - b
        n = len(d)
        row = {"name": name, "a": a.tolist(), "b": b.tolist(), "sides": {}}
        for side in SIDES:
            ans = {
                "two-sample": answer(stats.ttest_ind(a, b, alternative=side)),
                "welch": answer(stats.ttest_ind(a, b, equal_var=False, alternative=side)),
                "paired": answer(stats.ttest_rel(a, b, alternative=side)),
            }
            for ratio in (0.25, 1 / 9):
                t = d.mean() / np.sqrt((1 / n + ratio) * d.var(ddof=1))
                p = {"two-sided": 2 * stats.t.sf(abs(t), n - 1), "greater": stats.t.sf(t, n - 1), "less": stats.t.cdf(t, n - 1)}[side]
                ans[f"corrected {ratio:.6f}"] = [float(t), float(p), n - 1.0]
            wins, m = int((d > 0).sum()), int((d != 0).sum())
            ans["sign"] = [float(wins), float(stats.binomtest(wins, m, 0.5, alternative=side).pvalue), 0.0]
            for zeros in ("wilcox", "pratt", "zsplit"):
                for correction in (False, True):
                    r = stats.wilcoxon(a, b, zero_method=zeros, correction=correction, alternative=side, method="asymptotic")
                    ans[f"wilcoxon {zeros} normal {correction}"] = answer(r)
                ans[f"wilcoxon {zeros} auto"] = answer(stats.wilcoxon(a, b, zero_method=zeros, alternative=side))
            sizes = np.abs(d)
            if (d != 0).all() and len(set(sizes)) == n:
                ans["wilcoxon exact"] = answer(stats.wilcoxon(a, b, alternative=side, method="exact"))
            if n <= 10:
                # Every assignment of signs, which is exact with ties and zeros too.
                every = stats.PermutationMethod(n_resamples=np.inf)
                for zeros in ("wilcox", "pratt", "zsplit"):
                    ans[f"wilcoxon {zeros} all signs"] = answer(stats.wilcoxon(a, b, zero_method=zeros, alternative=side, method=every))
                r = stats.permutation_test((a, b), lambda x, y, axis: np.mean(x - y, axis=axis), permutation_type="samples", vectorized=True, n_resamples=np.inf, alternative=side)
                ans["permutation"] = answer(r)
            row["sides"][side] = ans
        out.append(row)
    return out


def unpaired():
    """Samples of different sizes and spreads."""
    rng = np.random.default_rng(37)
    out = []
    for n, m, gap, spread in ((3, 11, 0.5, 1), (25, 4, 0.2, 6), (2, 2, 1, 1), (40, 15, 0, 0.1)):
        a, b = np.round(rng.normal(gap, 1, n), 4), np.round(rng.normal(0, spread, m), 4)
        sides = {side: {"two-sample": answer(stats.ttest_ind(a, b, alternative=side)), "welch": answer(stats.ttest_ind(a, b, equal_var=False, alternative=side))} for side in SIDES}
        out.append({"a": a.tolist(), "b": b.tolist(), "sides": sides})
    return out


def mcnemar():
    out = []
    for b, c in ((1, 0), (0, 7), (5, 5), (12, 4), (4, 12), (30, 55), (900, 1100), (15, 14)):
        plain = (b - c) ** 2 / (b + c)
        corrected = max(0, abs(b - c) - 1) ** 2 / (b + c)
        out.append(
            {
                "b": b,
                "c": c,
                "plain": [plain, float(stats.chi2.sf(plain, 1))],
                "corrected": [corrected, float(stats.chi2.sf(corrected, 1))],
                "exact": {side: float(stats.binomtest(b, b + c, 0.5, alternative=side).pvalue) for side in SIDES},
            }
        )
    return out


def five_by_two(rng):
    out = []
    for gap in (0.0, 0.01, 0.04, 0.2):
        a, b = np.round(rng.normal(0.8, 0.02, (5, 2)), 4), np.round(rng.normal(0.8 - gap, 0.02, (5, 2)), 4)
        d = a - b
        s = ((d - d.mean(axis=1, keepdims=True)) ** 2).sum()
        t, f = d[0, 0] / np.sqrt(s / 5), (d**2).sum() / (2 * s)
        p = {"two-sided": 2 * stats.t.sf(abs(t), 5), "greater": stats.t.sf(t, 5), "less": stats.t.cdf(t, 5)}
        out.append({"a": a.tolist(), "b": b.tolist(), "t": float(t), "t_p": {k: float(v) for k, v in p.items()}, "f": float(f), "f_p": float(stats.f.sf(f, 10, 5))})
    return out


def friedman(rng):
    out = []
    for n, k, digits in ((12, 3, 6), (14, 4, 1), (30, 6, 2), (5, 10, 6), (8, 3, 0)):
        X = np.round(rng.normal(size=(n, k)) + np.linspace(0, 1.2, k), digits)
        X[X == 0] = 0.0
        r = stats.friedmanchisquare(*X.T)
        f = (n - 1) * r.statistic / (n * (k - 1) - r.statistic)
        ranks = stats.rankdata(-X, axis=1).mean(axis=0)
        se = np.sqrt(k * (k + 1) / (6 * n))
        gap = np.abs(ranks[:, None] - ranks[None, :]) / se
        out.append(
            {
                "scores": X.tolist(),
                "chi": [float(r.statistic), float(r.pvalue)],
                "f": [float(f), float(stats.f.sf(f, k - 1, (k - 1) * (n - 1)))],
                "ranks": ranks.tolist(),
                "control": (2 * stats.norm.sf(gap[0])).tolist(),
                "nemenyi": stats.studentized_range.sf(gap * np.sqrt(2), k, np.inf).tolist(),
            }
        )
    return out


def studentized_range():
    ks = [2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 50, 100, 1000, 10000]
    return [{"k": k, "p": p, "q": float(stats.studentized_range.ppf(p, k, np.inf))} for k in ks for p in (0.05, 0.5, 0.9, 0.95, 0.99, 0.999)]


def multiple(rng):
    out = []
    lists = [
        [0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205, 0.212, 0.216],
        np.round(rng.random(25) ** 3, 6).tolist(),
        [0.04, 0.01, 0.04, 1.0, 0.0, 0.01],
        [0.03],
    ]
    for p in lists:
        m = len(p)
        order = np.argsort(p, kind="stable")
        step = np.maximum.accumulate(np.minimum(1, (m - np.arange(m)) * np.array(p)[order]))
        holm = np.empty(m)
        holm[order] = step
        out.append({"p": p, "bh": stats.false_discovery_control(p, method="bh").tolist(), "holm": holm.tolist()})
    return out


def main():
    rng = np.random.default_rng(20265)
    made_by = {"script": "scripts/oracles/sigtest.py", "python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__}
    data = {
        "made_by": made_by,
        "intervals": intervals(),
        "bootstraps": bootstraps(rng),
        "paired": paired(rng),
        "unpaired": unpaired(),
        "mcnemar": mcnemar(),
        "five_by_two": five_by_two(rng),
        "friedman": friedman(rng),
        "studentized_range": studentized_range(),
        "multiple": multiple(rng),
    }
    with open(OUT, "w", encoding="utf-8") as f:
        json.dump(data, f, separators=(",", ":"), allow_nan=False)
        f.write("\n")


if __name__ == "__main__":
    main()
