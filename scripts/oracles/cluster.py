"""Make the answers that mlcore/cluster is tested against, with scikit-learn.

    python cluster.py

writes mlcore/cluster/testdata/peers.json: made-up rows with the clusters, mixtures and
densities that scikit-learn finds in them from the same start, and the scores of
groupings that mlcore/metrics has.
"""

import json
import os
import platform

import numpy as np
import sklearn
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score, calinski_harabasz_score, silhouette_samples
from sklearn.mixture import GaussianMixture
from sklearn.neighbors import KernelDensity

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "..", "..", "mlcore", "cluster", "testdata", "peers.json")
rng = np.random.default_rng(7)


def blobs(n, d, k, spread, offset=0.0, scale=1.0):
    centres = rng.normal(size=(k, d)) * spread
    labels = rng.integers(0, k, n)
    return np.round(centres[labels] + rng.normal(size=(n, d)), 6) * scale + offset


def k_means(X, k, w=None):
    start = X[:k]
    m = KMeans(k, init=start, n_init=1, tol=0, max_iter=500).fit(X, sample_weight=w)
    return {"X": X.tolist(), "k": k, "w": None if w is None else w.tolist(), "labels": m.labels_.tolist(),
            "centres": m.cluster_centers_.tolist(), "inertia": m.inertia_, "iterations": m.n_iter_,
            "distances": cdist(X[:5], m.cluster_centers_).tolist()}


def parameters(X, labels, k, shape, ridge):
    """The mixture that the clusters make: where EM starts."""
    share = np.eye(k)[labels]
    size = share.sum(0) + 10 * np.finfo(float).eps
    means = share.T @ X / size[:, None]
    diffs = [X - mu for mu in means]
    d = X.shape[1]
    full = np.array([(share[:, c, None] * diffs[c]).T @ diffs[c] / size[c] for c in range(k)])
    if shape == "full":
        cov = full + ridge * np.eye(d)
        precision = np.linalg.inv(cov)
    elif shape == "tied":
        cov = (full * size[:, None, None]).sum(0) / size.sum() + ridge * np.eye(d)
        precision = np.linalg.inv(cov)
    else:
        cov = np.array([np.diag(f) for f in full])
        if shape == "spherical":
            cov = cov.mean(1)
        precision = 1 / (cov + ridge)
    return size / size.sum(), means, precision


def mixture(X, k, shape):
    labels = (np.arange(len(X)) * k // len(X)).astype(int)
    weights, means, precision = parameters(X, labels, k, shape, 1e-6)
    m = GaussianMixture(k, covariance_type=shape, weights_init=weights, means_init=means, precisions_init=precision,
                        tol=1e-8, max_iter=1000).fit(X)
    return {"X": X.tolist(), "k": k, "shape": {"diag": "diagonal"}.get(shape, shape), "start": labels.tolist(),
            "weights": m.weights_.tolist(), "means": m.means_.tolist(), "likelihood": m.score(X),
            "covariances": np.ravel(m.covariances_).tolist(), "iterations": m.n_iter_, "labels": m.predict(X).tolist(),
            "proba": m.predict_proba(X[:10]).tolist(), "density": m.score_samples(X[:10]).tolist(),
            "aic": m.aic(X), "bic": m.bic(X)}


def density(X, Q, kernel, h, w=None):
    m = KernelDensity(kernel=kernel, bandwidth=h, rtol=0, atol=0).fit(X, sample_weight=w)
    values = m.score_samples(Q)
    return {"X": X.tolist(), "Q": Q.tolist(), "w": None if w is None else w.tolist(), "h": h,
            "kernel": {"tophat": "top hat"}.get(kernel, kernel),
            "density": [v if np.isfinite(v) else None for v in values]}


def scores(X, labels, other):
    return {"X": X.tolist(), "labels": labels.tolist(), "other": other.tolist(),
            "silhouette": silhouette_samples(X, labels).tolist(),
            "calinski_harabasz": calinski_harabasz_score(X, labels), "adjusted_rand": adjusted_rand_score(labels, other)}


def iris():
    with open(os.path.join(HERE, "..", "..", "datasets", "files", "iris.data")) as f:
        return np.array([line.split(",")[:4] for line in f if line.strip()], float)


answers = {
    "versions": {"python": platform.python_version(), "scikit-learn": sklearn.__version__, "numpy": np.__version__},
    "iris": KMeans(3, n_init=50, tol=0, random_state=0).fit(iris()).inertia_,
    "k_means": [k_means(blobs(60, 2, 3, 4), 3), k_means(blobs(120, 5, 4, 1), 7), k_means(blobs(40, 1, 2, 5), 2),
                k_means(blobs(90, 3, 3, 2, offset=1e6), 4), k_means(blobs(80, 2, 4, 3, scale=1e-8), 5),
                k_means(blobs(70, 4, 3, 2), 5, rng.integers(1, 4, 70).astype(float))],
    "mixtures": [mixture(blobs(80, d, k, 3), k, shape) for d, k in [(2, 3), (3, 2), (1, 2)]
                 for shape in ("full", "tied", "diag", "spherical")],
    "densities": [density(blobs(30, d, 2, 1), blobs(12, d, 2, 1), kernel, h)
                  for d, h in [(1, 0.5), (2, 1.3), (5, 2.5)]
                  for kernel in ("gaussian", "tophat", "epanechnikov", "exponential", "linear")]
    + [density(blobs(20, 2, 2, 1), blobs(6, 2, 2, 1), "gaussian", 0.7, rng.integers(1, 4, 20).astype(float))],
    "scores": [scores(blobs(40, d, 3, 2), rng.integers(0, k, 40), rng.integers(0, 3, 40)) for d, k in [(2, 2), (3, 5), (1, 25)]],
}
os.makedirs(os.path.dirname(OUT), exist_ok=True)
with open(OUT, "w") as f:
    json.dump(answers, f, separators=(",", ":"))
    f.write("\n")
