"""Makes mlcore/neighbors/testdata/peers.json.

    python3 scripts/oracles/neighbors.py letter-recognition.data > mlcore/neighbors/testdata/peers.json

The data are made up here and stored with the answers. Coordinates have random
digits, so that no two distances are equal, except where "codes" are whole
numbers: there only the distances are compared, which ties do not change. So it
is with Letter, whose file is at UCI; its answers are distances of the first 50
test rows, and accuracies on all of them.
"""

import copy
import json
import platform
import sys

import numpy as np
import sklearn
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor, NearestNeighbors

rng = np.random.default_rng(20261)
N, D, Q, K = 120, 5, 25, 7

X = np.round(rng.normal(size=(N, D)) * [1, 2, 0.5, 3, 1], 6)
queries = np.round(rng.normal(size=(Q, D)) * [1, 2, 0.5, 3, 1], 6)
queries[:3] = X[[4, 50, 119]]  # exact matches
labels = ((X[:, 0] > 0).astype(int) + (X[:, 1] + X[:, 3] > 1).astype(int))
targets = np.round(X[:, 0] ** 2 - X[:, 3] + rng.normal(size=N), 6)
feature_weights = np.array([1.0, 0.5, 2.0, 0.0, 3.0])
cov = np.cov(X.T)
codes = rng.integers(0, 4, size=(N, D)).astype(float)
code_queries = rng.integers(0, 4, size=(Q, D)).astype(float)

metrics = {
    "Euclidean": dict(metric="euclidean"),
    "SquaredEuclidean": dict(metric="sqeuclidean", algorithm="brute"),
    "Manhattan": dict(metric="manhattan"),
    "Chebyshev": dict(metric="chebyshev"),
    "Minkowski(3)": dict(metric="minkowski", p=3),
    "Minkowski(1.5)": dict(metric="minkowski", p=1.5),
    "Mahalanobis": dict(metric="mahalanobis", metric_params=dict(VI=np.linalg.inv(cov))),
    "weighted Euclidean": dict(metric="minkowski", p=2, metric_params=dict(w=feature_weights)),
    "weighted Manhattan": dict(metric="minkowski", p=1, metric_params=dict(w=feature_weights)),
    "weighted Minkowski(3)": dict(metric="minkowski", p=3, metric_params=dict(w=feature_weights)),
}

# The width of the Gaussian is the document's kernel with h = 1.5.
BANDWIDTH = 1.5


def gaussian(d):
    return np.exp(-(d**2) / (2 * BANDWIDTH**2))


out = {
    "made_by": "scripts/oracles/neighbors.py",
    "versions": {"python": platform.python_version(), "scikit-learn": sklearn.__version__, "numpy": np.__version__},
    "k": K,
    "bandwidth": BANDWIDTH,
    "X": X.tolist(),
    "queries": queries.tolist(),
    "labels": labels.tolist(),
    "targets": targets.tolist(),
    "feature_weights": feature_weights.tolist(),
    "covariance": cov.tolist(),
    "codes": codes.tolist(),
    "code_queries": code_queries.tolist(),
    "metrics": {},
}

for name, params in metrics.items():
    fresh = lambda params=params: copy.deepcopy(params)  # fitting writes into metric_params
    dist, index = NearestNeighbors(n_neighbors=K, **fresh()).fit(X).kneighbors(queries)
    answers = {"distances": dist.tolist(), "indices": index.tolist()}
    for weights in ("uniform", "distance", gaussian):
        key = weights if isinstance(weights, str) else "gaussian"
        classifier = KNeighborsClassifier(K, weights=weights, **fresh()).fit(X, labels)
        regressor = KNeighborsRegressor(K, weights=weights, **fresh()).fit(X, targets)
        answers[key] = {
            "classes": classifier.predict(queries).tolist(),
            "proba": classifier.predict_proba(queries).tolist(),
            "means": regressor.predict(queries).tolist(),
        }
    out["metrics"][name] = answers

dist, _ = NearestNeighbors(n_neighbors=K, metric="hamming", algorithm="brute").fit(codes).kneighbors(code_queries)
out["hamming"] = dist.tolist()

# Locally weighted linear regression: a line through each query's neighbours.
# With K - 3 neighbours the line is not unique and the shortest slope is taken.
for key, k, weights in (("uniform", 20, None), ("gaussian", 20, gaussian), ("few", K - 3, None)):
    dist, index = NearestNeighbors(n_neighbors=k).fit(X).kneighbors(queries)
    out["local_" + key] = [
        LinearRegression()
        .fit(X[i], targets[i], sample_weight=None if weights is None else weights(d))
        .predict([q])[0]
        for d, i, q in zip(dist, index, queries)
    ]

letter = [line.split(",") for line in open(sys.argv[1])]
letters = np.array([ord(row[0]) - ord("A") for row in letter])
boxes = np.array([[float(v) for v in row[1:]] for row in letter])
out["letter"] = {}
for metric in ("euclidean", "manhattan", "hamming"):
    # The two searches break ties differently: their accuracies bound what the
    # choice among equals can do.
    models = [
        KNeighborsClassifier(5, metric=metric, algorithm=a).fit(boxes[:16000], letters[:16000])
        for a in ("brute", "ball_tree")
    ]
    out["letter"][metric] = {
        "distances": models[0].kneighbors(boxes[16000:16050])[0].tolist(),
        "accuracies": [m.score(boxes[16000:], letters[16000:]) for m in models],
    }

print(json.dumps(out))
