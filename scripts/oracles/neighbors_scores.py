"""Makes mlcore/neighbors/testdata/peers_scores.json.

    python3 scripts/oracles/neighbors_scores.py [FOLDER]

Accuracies of 5 nearest neighbours on the course's data files in FOLDER (by
default datasets/files), every fifth row for testing.
Which of equally near rows vote is free, so each is fitted to the training rows
in twenty orders, and the least and the greatest accuracy are kept.
"""

import json
import os
import platform
import sys

import numpy as np
import sklearn
from ensemble import table
from sklearn.neighbors import KNeighborsClassifier

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")

# File, column of the label, columns left out. Where a metric counts categories,
# how they are coded does not matter.
SETS = {
    "iris": ("iris.data", 4, [], "euclidean"),
    "ecoli": ("ecoli.data", 8, [0], "euclidean"),
    "breast": ("breast-cancer-wisconsin.data", 10, [0, 6], "euclidean"),
    "car": ("car.data", 6, [], "hamming"),
    "mushroom": ("agaricus-lepiota.data", 0, [11], "hamming"),
}

folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "datasets", "files")
out = {
    "made_by": "scripts/oracles/neighbors_scores.py",
    "versions": {"python": platform.python_version(), "scikit-learn": sklearn.__version__, "numpy": np.__version__},
    "sets": {},
}
for name, (file, label, drop, metric) in SETS.items():
    X, y = table(folder, file, label, drop)
    test = np.arange(len(y)) % 5 == 4
    scores = []
    for state in range(20):
        order = np.random.default_rng(state).permutation(np.flatnonzero(~test))
        scores.append(KNeighborsClassifier(5, metric=metric).fit(X[order], y[order]).score(X[test], y[test]))
    out["sets"][name] = {"metric": metric, "rows": len(y), "features": X.shape[1], "min": min(scores), "max": max(scores)}

with open(os.path.join(ROOT, "mlcore", "neighbors", "testdata", "peers_scores.json"), "w") as f:
    json.dump(out, f, indent=1)
    f.write("\n")
