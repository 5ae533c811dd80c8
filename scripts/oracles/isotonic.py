"""Make the answers that mlcore/isotonic is tested against, with scikit-learn.

    python isotonic.py

writes mlcore/isotonic/testdata/peers.json: made-up points, with ties and weights, and the
monotone functions that scikit-learn's IsotonicRegression fits to them.
"""

import json
import os
import platform

import numpy as np
import sklearn
from sklearn.isotonic import IsotonicRegression

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "..", "..", "mlcore", "isotonic", "testdata", "peers.json")


def samples():
    rng = np.random.default_rng(8)
    x = np.round(rng.uniform(0, 10, 60), 3)
    yield "curve", x, np.round(np.log1p(x) + rng.normal(size=60) * 0.4, 4), None
    yield "weights", x, np.round(np.log1p(x) + rng.normal(size=60) * 0.4, 4), np.round(rng.uniform(0, 3, 60), 2)
    tied = rng.integers(0, 8, 50).astype(float)
    yield "ties", tied, np.round(tied + rng.normal(size=50) * 3, 4), np.where(rng.random(50) < 0.2, 0.0, 1.0)
    yield "labels", x, (rng.random(60) < x / 10).astype(float), None
    yield "the wrong way", x, -x, None
    yield "far", 1e9 + np.arange(20.0), 1e9 + np.round(rng.normal(size=20), 4), None
    yield "one row", np.array([3.0]), np.array([2.5]), None
    yield "one value", np.full(5, 3.0), np.array([1.0, 2.0, 4.0, 8.0, 0.5]), None


def main():
    out = []
    for name, x, y, w in samples():
        span = np.ptp(x) + 1
        queries = np.concatenate([np.linspace(x.min() - 0.2 * span, x.max() + 0.2 * span, 41), x[:5]])
        answers = {}
        for increasing in (True, False):
            m = IsotonicRegression(increasing=increasing, out_of_bounds="clip").fit(x, y, sample_weight=w)
            answers["increasing" if increasing else "decreasing"] = m.predict(queries).tolist()
        out.append({"name": name, "x": x.tolist(), "y": y.tolist(), "w": None if w is None else w.tolist(), "queries": queries.tolist(), **answers})
    versions = {"python": platform.python_version(), "scikit-learn": sklearn.__version__, "numpy": np.__version__}
    os.makedirs(os.path.dirname(OUT), exist_ok=True)
    with open(OUT, "w", encoding="utf-8") as f:
        json.dump({"versions": versions, "samples": out}, f, separators=(",", ":"), allow_nan=False)
        f.write("\n")


if __name__ == "__main__":
    main()
