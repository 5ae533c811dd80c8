"""Make the answers that sizes of differences in mlcore/sigtest are tested against: the
Bayesian correlated t test, equivalence tests, beta posteriors, paired error rates and
effect sizes. It needs statsmodels 0.15.0 and baycomp 1.0.3 besides SciPy.

    python sigtest_sizes.py

writes mlcore/sigtest/testdata/peers_sizes.json. baycomp does the correlated t test,
statsmodels the equivalence test, and SciPy's distributions the rest. What neither has (the
corrected equivalence test and Newcombe's method 10) is written out from the papers'
formulas on SciPy's distributions.
"""

import json
import os
import platform
from fractions import Fraction
from math import comb

import baycomp
import numpy as np
import scipy
import statsmodels
from scipy import integrate, optimize, stats
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import ttost_paired

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "..", "..", "mlcore", "sigtest", "testdata", "peers_sizes.json")


def correlated(rng):
    """Scores on the folds of repeated cross-validations, and what is believed after them."""
    out = []
    for folds, runs, shift, spread in ((10, 1, 0.01, 0.02), (10, 10, 0.004, 0.03), (5, 2, -0.03, 0.01), (2, 1, 0.02, 0.05), (5, 4, 0.0, 0.2), (10, 10, 0.2, 0.01)):
        n = folds * runs
        a = np.round(rng.normal(0.2, 0.05, n), 4)
        b = np.round(a - shift + rng.normal(0, spread, n), 4)
        ratio = 1 / (folds - 1)
        d = a - b
        se = float(np.sqrt((1 / n + ratio) * d.var(ddof=1)))
        ropes = []
        for rope in (0.01, 0.05):
            # baycomp takes second less first.
            p = baycomp.CorrelatedTTest(b, a, rope=rope, runs=runs)
            t = stats.t(n - 1, d.mean(), se)
            assert np.isclose(p.mean, d.mean()) and np.isclose(np.sqrt(p.var), se)
            below, above = float(t.cdf(-rope)), float(t.sf(rope))
            assert np.allclose(p.probs(), [below, t.cdf(rope) - t.cdf(-rope), above], atol=1e-12)
            ropes.append({"rope": rope, "below": below, "within": 1 - below - above, "above": above, "plain": tost(d, 0, rope), "corrected": tost(d, ratio, rope)})
            plain, low, high = ttost_paired(a, b, -rope, rope)
            assert np.isclose(plain, ropes[-1]["plain"][1], rtol=1e-9)
            assert np.isclose(low[0] if low[1] >= high[1] else high[0], ropes[-1]["plain"][0])
        out.append({"a": a.tolist(), "b": b.tolist(), "ratio": ratio, "mean": float(d.mean()), "scale": se, "interval": [float(v) for v in stats.t.interval(0.95, n - 1, d.mean(), se)], "ropes": ropes, "d": cohen(d)})
    return out


def tost(d, ratio, rope):
    """Statistic and p-value of the test that decides."""
    n = len(d)
    se = np.sqrt((1 / n + ratio) * d.var(ddof=1))
    low, high = (d.mean() + rope) / se, (d.mean() - rope) / se
    p, q = stats.t.sf(low, n - 1), stats.t.cdf(high, n - 1)
    return [float(low), float(p)] if p >= q else [float(high), float(q)]


def cohen(d, level=0.95):
    n = len(d)
    t = d.mean() / d.std(ddof=1) * np.sqrt(n)
    ends = []
    for tail in ((1 + level) / 2, (1 - level) / 2):
        ends.append(float(optimize.brentq(lambda delta: stats.nct.cdf(t, n - 1, delta) - tail, t - 4 - abs(t) / 4, t + 4 + abs(t) / 4, xtol=1e-13) / np.sqrt(n)))
    return [float(t / np.sqrt(n)), *ends]


def betas():
    out = []
    for k, n in ((0, 1), (1, 1), (0, 20), (3, 20), (11, 50), (49, 50), (500, 1000), (7, 100000), (400000, 1000000), (3, 10**9), (5 * 10**8, 10**9)):
        for prior in ((0.5, 0.5), (1, 1), (2, 30)):
            for level in (0.5, 0.95, 0.999):
                tail = (1 - level) / 2
                post = stats.beta(prior[0] + k, prior[1] + n - k)
                ends = [float(post.ppf(tail)), float(post.isf(tail))]
                if prior == (0.5, 0.5):
                    assert np.allclose(proportion_confint(k, n, 1 - level, "jeffreys"), ends, rtol=1e-9)
                out.append({"k": k, "n": n, "prior": prior, "level": level, "interval": ends})
    return out


def less():
    """P(X < Y) for independent betas, in fractions where parameters are whole, and as an
    integral else."""
    out = []
    for first, second in (((1, 1), (1, 1)), ((3, 18), (5, 16)), ((1, 51), (4, 48)), ((40, 60), (50, 50)), ((2, 3), (700, 300)), ((12, 90), (3, 400)), ((1, 1), (900, 101))):
        (a, b), (c, d) = first, second
        # P(X < Y) = sum over i < c of B(a+i, b+d) / ((d+i) B(1+i, d) B(a, b)) is P(Y < X)'s
        # formula of Miller, 2015, with the roles exchanged.
        total = Fraction(0)
        for i in range(c):
            total += beta_ratio(a, b, d, i)
        out.append({"first": first, "second": second, "p": float(total)})
    for first, second in (((0.5, 20.5), (3.5, 17.5)), ((11.5, 39.5), (7.5, 43.5)), ((0.5, 0.5), (0.5, 10.5))):
        x, y = stats.beta(*first), stats.beta(*second)
        # Over the quantiles of X the integrand is smooth and bounded.
        p, _ = integrate.quad(lambda q: y.sf(x.ppf(q)), 0, 1, epsabs=1e-12, limit=500)
        out.append({"first": first, "second": second, "p": float(p)})
    return out


def beta_ratio(a, b, d, i):
    """B(a+i, b+d) / ((d+i) B(1+i, d) B(a, b)) for whole numbers."""

    def inverse_beta(p, q):  # 1/B(p, q) = q C(p+q-1, p-1)
        return q * comb(p + q - 1, p - 1)

    return Fraction(inverse_beta(1 + i, d) * inverse_beta(a, b), (d + i) * inverse_beta(a + i, b + d))


def newcombe(e, f, g, h, level):
    """Method 10 of Newcombe, 1998, in his letters."""
    n = e + f + g + h
    p1, p2 = (e + f) / n, (e + g) / n
    (l1, u1), (l2, u2) = (proportion_confint(k, n, 1 - level, "wilson") for k in (e + f, e + g))
    product = (e + f) * (g + h) * (e + g) * (f + h)
    phi = 0.0
    if product:
        numerator = e * h - f * g
        if numerator > 0:
            numerator = max(numerator - n / 2, 0)
        phi = numerator / np.sqrt(float(product))
    delta = np.sqrt((p1 - l1) ** 2 - 2 * phi * (p1 - l1) * (u2 - p2) + (u2 - p2) ** 2)
    epsilon = np.sqrt((u1 - p1) ** 2 - 2 * phi * (u1 - p1) * (p2 - l2) + (p2 - l2) ** 2)
    return [float(p1 - p2 - delta), float(p1 - p2 + epsilon)]


def tables():
    out = []
    for cells in ((36, 12, 2, 0), (14, 5, 0, 22), (1, 1, 7, 12), (59, 6, 16, 80), (0, 0, 0, 30), (0, 4, 1, 45), (30, 0, 0, 0), (10, 3, 3, 34), (2, 0, 0, 1), (0, 1, 0, 0), (120, 500, 470, 9000), (20000, 10**6, 999000, 10**9)):
        for level in (0.9, 0.95):
            out.append({"cells": cells, "level": level, "newcombe": newcombe(*cells, level)})
    return out


def odds():
    out = []
    for b, c in ((1, 0), (0, 1), (0, 12), (3, 8), (25, 6), (682, 937), (553, 802), (5 * 10**8, 5 * 10**8 + 40000)):
        for level in (0.9, 0.95):
            tail = (1 - level) / 2
            low = 0.0 if b == 0 else float(stats.beta.ppf(tail, b, c + 1))
            # 1 - p from the other end keeps its digits.
            high = None if c == 0 else float(stats.beta.isf(tail, b + 1, c))
            out.append({"b": b, "c": c, "level": level, "interval": [low / (1 - low), None if high is None else high / (1 - high)]})
    return out


def main():
    rng = np.random.default_rng(11)
    made_by = {"script": "scripts/oracles/sigtest_sizes.py", "python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__, "statsmodels": statsmodels.__version__, "baycomp": "1.0.3"}
    data = {"made_by": made_by, "correlated": correlated(rng), "betas": betas(), "less": less(), "tables": tables(), "odds": odds()}
    with open(OUT, "w", encoding="utf-8") as f:
        json.dump(data, f, separators=(",", ":"), allow_nan=False)
        f.write("\n")


if __name__ == "__main__":
    main()
