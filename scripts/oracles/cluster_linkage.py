"""Make the answers that agglomerative clustering of mlcore/cluster is tested against, with
SciPy and scikit-learn.

    python cluster_linkage.py

writes mlcore/cluster/testdata/peers_linkage.json: made-up rows, SciPy's linkage matrices
of them and the clusters of scikit-learn's AgglomerativeClustering.
"""

import json
import os
import platform

import numpy as np
import scipy
import sklearn
from scipy.cluster.hierarchy import linkage
from sklearn.cluster import AgglomerativeClustering

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "..", "..", "mlcore", "cluster", "testdata", "peers_linkage.json")
rng = np.random.default_rng(17)


def blobs(n, d, k):
    centres = rng.normal(size=(k, d)) * 4
    return np.round(centres[rng.integers(0, k, n)] + rng.normal(size=(n, d)), 6)


def answers(X, how, metric):
    Z = linkage(X, how, metric)
    heights = Z[:, 2]
    cuts = []
    for k in (1, 2, 3, 7):
        if k <= len(X):
            m = AgglomerativeClustering(k, linkage=how, metric=metric).fit(X)
            cuts.append({"clusters": k, "labels": m.labels_.tolist()})
    for share in (0.3, 0.8):
        t = float(heights[-1] * share)
        m = AgglomerativeClustering(None, distance_threshold=t, linkage=how, metric=metric).fit(X)
        cuts.append({"threshold": t, "labels": m.labels_.tolist()})
    return {"linkage": how, "metric": metric, "Z": Z.tolist(), "cuts": cuts}


def main():
    sets = []
    for X in (blobs(60, 2, 4), blobs(80, 5, 3), blobs(12, 30, 2), blobs(40, 2, 3) * 1e-6 + 1, np.array([[0.0], [1.0]])):
        row = {"X": X.tolist(), "answers": [answers(X, how, "euclidean") for how in ("ward", "complete", "average", "single")]}
        row["answers"] += [answers(X, how, "cityblock") for how in ("complete", "average", "single")]
        sets.append(row)
    versions = {"python": platform.python_version(), "scikit-learn": sklearn.__version__, "scipy": scipy.__version__, "numpy": np.__version__}
    with open(OUT, "w", encoding="utf-8") as f:
        json.dump({"versions": versions, "sets": sets}, f, separators=(",", ":"), allow_nan=False)
        f.write("\n")


if __name__ == "__main__":
    main()
