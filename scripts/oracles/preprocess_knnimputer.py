"""Make the answers that imputation by neighbours in mlcore/preprocess is tested against, with scikit-learn.

    python preprocess_knnimputer.py

writes mlcore/preprocess/testdata/peers_knnimputer.json: made-up rows, null for a missing
value, and what they become.
"""

import json
import os
import platform

import numpy as np
import sklearn
from sklearn.impute import KNNImputer

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "..", "..", "mlcore", "preprocess", "testdata", "peers_knnimputer.json")


def plain(X):
    return [[None if v != v else float(v) for v in row] for row in np.asarray(X, dtype=float)]


def main():
    rng = np.random.default_rng(20273)
    n, q = 60, 25
    X = np.round(rng.normal(size=(n + q, 5)) @ rng.normal(size=(5, 5)), 5)
    X[rng.random(X.shape) < 0.25] = np.nan
    X[3] = np.nan  # a training row without any value
    X[n] = np.nan  # a query without any value: means
    X[n + 1, 1:] = np.nan
    X[n + 2] = X[5]  # at distance 0 of a training row
    X[n + 2, np.flatnonzero(~np.isnan(X[5]))[0]] = np.nan
    cases = [
        {
            "k": k, "by_distance": weights == "distance",
            "train": plain(KNNImputer(n_neighbors=k, weights=weights).fit_transform(X[:n])),
            "queries": plain(KNNImputer(n_neighbors=k, weights=weights).fit(X[:n]).transform(X[n:])),
        }
        for k in (1, 5, 1000) for weights in ("uniform", "distance")
    ]
    out = {
        "made_by": {"script": "scripts/oracles/preprocess_knnimputer.py", "python": platform.python_version(), "numpy": np.__version__, "scikit-learn": sklearn.__version__},
        "X": plain(X[:n]), "queries": plain(X[n:]), "cases": cases,
    }
    with open(OUT, "w", encoding="utf-8") as f:
        json.dump(out, f, separators=(",", ":"))
        f.write("\n")


if __name__ == "__main__":
    main()
