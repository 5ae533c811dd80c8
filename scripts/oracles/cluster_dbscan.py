"""Make the answers that DBSCAN of mlcore/cluster is tested against, with scikit-learn.

    python cluster_dbscan.py

writes mlcore/cluster/testdata/peers_dbscan.json: made-up rows and the clusters that
scikit-learn's DBSCAN finds in them.
"""

import json
import os
import platform

import numpy as np
import sklearn
from sklearn.cluster import DBSCAN
from sklearn.datasets import make_moons

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "..", "..", "mlcore", "cluster", "testdata", "peers_dbscan.json")
rng = np.random.default_rng(23)


def samples():
    moons = np.round(make_moons(200, noise=0.08, random_state=3)[0], 5)
    yield moons, 0.2, 5, "euclidean", None
    yield moons, 0.1, 4, "manhattan", None
    yield moons, 0.15, 6, "euclidean", np.round(rng.uniform(0.1, 3, 200), 2)
    grid = rng.integers(0, 12, size=(150, 2)).astype(float)  # ties at eps
    yield grid, 1.0, 5, "euclidean", None
    yield grid, 2.0, 9, "chebyshev", None
    wide = np.round(rng.normal(size=(120, 8)), 5)
    yield wide, 2.2, 6, "euclidean", None
    yield wide + 1e9, 2.2, 6, "euclidean", None
    yield wide, 0.1, 3, "euclidean", None  # all noise
    yield rng.integers(0, 3, size=(80, 6)).astype(float), 0.2, 4, "hamming", None
    yield np.zeros((7, 2)), 0.5, 5, "euclidean", None
    yield np.array([[1.0, 2.0]]), 0.5, 1, "euclidean", None


def main():
    out = []
    for X, eps, least, metric, w in samples():
        m = DBSCAN(eps=eps, min_samples=least, metric=metric, algorithm="brute" if metric == "hamming" else "kd_tree").fit(X, sample_weight=w)
        out.append({"X": X.tolist(), "eps": eps, "min_samples": least, "metric": metric, "w": None if w is None else w.tolist(),
                    "labels": m.labels_.tolist(), "core": m.core_sample_indices_.tolist()})
    versions = {"python": platform.python_version(), "scikit-learn": sklearn.__version__, "numpy": np.__version__}
    with open(OUT, "w", encoding="utf-8") as f:
        json.dump({"versions": versions, "samples": out}, f, separators=(",", ":"), allow_nan=False)
        f.write("\n")


if __name__ == "__main__":
    main()
