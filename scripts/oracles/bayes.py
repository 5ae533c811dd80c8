"""Make the answers that mlcore/bayes is tested against, with scikit-learn.

    python bayes.py [FOLDER]

writes mlcore/bayes/testdata/peers.json. Made-up data are stored with their
answers; of the data files in FOLDER (by default datasets/files) only answers are:
every predicted class, as one letter each (A is class 0), and the joint
log-likelihoods and probabilities of some rows.
"""

import json
import os
import platform
import sys

import numpy as np
import sklearn
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
OUT = os.path.join(ROOT, "mlcore", "bayes", "testdata", "peers.json")

MODELS = {"categorical": CategoricalNB, "gaussian": GaussianNB, "multinomial": MultinomialNB, "bernoulli": BernoulliNB}


def answers(model, X, rows):
    return {
        "classes": "".join(chr(65 + k) for k in model.predict(X)),
        "rows": [int(i) for i in rows],
        "joint": model.predict_joint_log_proba(X[rows]).tolist(),
        "log_proba": model.predict_log_proba(X[rows]).tolist(),
        "proba": model.predict_proba(X[rows]).tolist(),
    }


def made_up(rng):
    """Three classes; kinds of columns as the models want them."""
    n, q = 90, 25
    y = rng.integers(0, 3, n + q)
    real = np.round(rng.normal(size=(n + q, 4)) * [1, 5, 0.2, 2] + y[:, None] * [1, 2, 0, -1], 6)
    counts = rng.poisson(2 + y[:, None] * [1, 0, 2, 0.5, 0]).astype(float)
    codes = np.where(rng.random((n + q, 5)) < 0.4, (y[:, None] + np.arange(5)) % 4, rng.integers(0, 4, (n + q, 5))).astype(float)
    w = np.round(rng.uniform(0, 3, n), 3)
    w[:5] = 0
    return {"gaussian": real, "multinomial": counts, "bernoulli": real, "categorical": codes}, y, w, n


def settings(kind):
    prior = [0.2, 0.5, 0.3]
    if kind == "gaussian":
        return [
            ("default", {}, True),
            ("given prior", {"priors": prior}, True),
            ("uniform prior", {"priors": [1 / 3, 1 / 3, 1 / 3]}, True),
            ("smoother", {"var_smoothing": 0.01}, False),
        ]
    more = {"binarize": 0.5} if kind == "bernoulli" else {}
    return [
        ("default", more, True),
        ("alpha 0.3", {"alpha": 0.3, **more}, True),
        ("alpha 1e-9", {"alpha": 1e-9, **more}, True),
        ("given prior", {"class_prior": prior, **more}, True),
        ("uniform prior", {"fit_prior": False, **more}, True),
    ]


def read(folder, name, label, drop=()):
    with open(os.path.join(folder, name), encoding="utf-8") as f:
        rows = [line.strip().split(",") for line in f if line.strip()]
    label %= len(rows[0])
    names = sorted({r[label] for r in rows})
    y = np.array([names.index(r[label]) for r in rows])
    return np.array([[v for j, v in enumerate(r) if j != label and j not in drop] for r in rows]), y, names


def coded(X):
    return np.stack([np.unique(c, return_inverse=True)[1] for c in X.T], axis=1)


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "datasets", "files")
    tables, y, w, n = made_up(np.random.default_rng(20264))
    made = {"y": y[:n].tolist(), "w": w.tolist(), "X": {}, "queries": {}, "fits": []}
    for kind, X in tables.items():
        made["X"][kind], made["queries"][kind] = X[:n].tolist(), X[n:].tolist()
        for name, params, weighted in settings(kind):
            for weights in [None, w] if weighted else [None]:
                if kind == "gaussian" and weights is not None:
                    # Variance smoothing, which scikit-learn takes from unweighted
                    # rows, is made too small to matter.
                    params = {**params, "var_smoothing": 1e-15}
                model = MODELS[kind](**params).fit(X[:n], y[:n], weights)
                made["fits"].append({"kind": kind, "name": name, "params": params, "weighted": weights is not None, **answers(model, X[n:], np.arange(0, len(y) - n, 2))})

    files = []

    def file(name, kind, params, model, X, y, Q, names):
        model.fit(X, y)
        files.append({"set": name, "kind": kind, "params": params, "class_names": names, **answers(model, Q, np.arange(0, len(Q), len(Q) // 12))})

    X, y, names = read(folder, "iris.data", -1)
    X = X.astype(float)
    file("iris", "gaussian", {}, GaussianNB(), X, y, X, names)
    file("iris", "multinomial", {}, MultinomialNB(), X, y, X, names)
    file("iris", "bernoulli", {"binarize": 1.6}, BernoulliNB(binarize=1.6), X, y, X, names)
    X, y, names = read(folder, "car.data", -1)
    for alpha in (1.0, 0.25):
        file("car", "categorical", {"alpha": alpha}, CategoricalNB(alpha=alpha), coded(X), y, coded(X), names)
    X, y, names = read(folder, "agaricus-lepiota.data", 0, (11,))
    file("mushroom", "categorical", {}, CategoricalNB(), coded(X), y, coded(X), names)
    X, y, names = read(folder, "letter-recognition.data", 0)
    X = X.astype(int)
    file("letter", "categorical", {}, CategoricalNB(min_categories=16), X[:16000], y[:16000], X[16000:], names)
    file("letter", "gaussian", {}, GaussianNB(), X[:16000].astype(float), y[:16000], X[16000:].astype(float), names)

    made_by = {"script": "scripts/oracles/bayes.py", "python": platform.python_version(), "numpy": np.__version__, "scikit-learn": sklearn.__version__}
    with open(OUT, "w", encoding="utf-8") as f:
        json.dump({"made_by": made_by, "made_up": made, "files": files}, f, separators=(",", ":"))
        f.write("\n")


if __name__ == "__main__":
    main()
