"""Make the answers that the discriminant analyses of mlcore/bayes are tested against, with
scikit-learn.

    python bayes_discriminants.py

writes mlcore/bayes/testdata/peers_discriminants.json: made-up rows and iris, with the
probabilities, discriminants and log densities that scikit-learn's
LinearDiscriminantAnalysis and QuadraticDiscriminantAnalysis give them.
"""

import json
import os
import platform

import numpy as np
import sklearn
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "..", "..", "mlcore", "bayes", "testdata", "peers_discriminants.json")
ASKED = 20  # rows of which more than the class is asked
rng = np.random.default_rng(36)


def made_up(n, d, k, spread=1.5):
    means = rng.normal(size=(k, d)) * spread
    mix = rng.normal(size=(k, d, d))
    y = rng.permutation(np.arange(n) % k)
    X = np.array([means[c] + mix[c] @ rng.normal(size=d) for c in y])
    return np.round(X, 6), y


def sets():
    iris = load_iris()
    yield "iris", iris.data, iris.target
    yield "two classes", *made_up(60, 3, 2)
    yield "five classes", *made_up(200, 6, 5)
    X, y = made_up(120, 4, 3)
    yield "far from 0", X + 1e6, y
    yield "columns of many sizes", X * np.array([1e-4, 1, 1e3, 1e6]), y
    yield "a copied and a constant column", np.column_stack([X, X[:, 1], np.full(len(X), 7.0)]), y
    yield "fewer rows than columns", *made_up(24, 40, 3)
    whole, y = made_up(90, 3, 3)
    yield "whole numbers", np.round(whole), y


def linear(X, y, priors=None, shrinkage=None):
    solver = "svd" if shrinkage is None else "eigen"
    m = LinearDiscriminantAnalysis(solver=solver, shrinkage=shrinkage, priors=priors).fit(X, y)
    out = {"priors": priors, "shrinkage": shrinkage, "proba": m.predict_proba(X[:ASKED]).tolist(), "labels": m.predict(X).tolist(),
           "ratio": m.explained_variance_ratio_.tolist()}
    if shrinkage is None:
        out["projected"] = m.transform(X[:ASKED])[:, :len(m.explained_variance_ratio_)].tolist()
    return out


def quadratic(X, y, priors=None, reg_param=0.0):
    m = QuadraticDiscriminantAnalysis(priors=priors, reg_param=reg_param, tol=1e-12).fit(X, y)
    return {"priors": priors, "reg_param": reg_param, "proba": m.predict_proba(X[:ASKED]).tolist(), "labels": m.predict(X).tolist(),
            "joint": m._decision_function(X[:ASKED]).tolist()}


def main():
    out = []
    for name, X, y in sets():
        k = y.max() + 1
        given = (np.arange(1, k + 1) / (k * (k + 1) / 2)).tolist()
        dependent = "copied" in name or "fewer" in name
        row = {"name": name, "X": X.tolist(), "y": y.tolist(), "linear": [linear(X, y), linear(X, y, priors=given)], "quadratic": []}
        if not dependent:
            row["quadratic"] = [quadratic(X, y), quadratic(X, y, priors=given)]
        for shrinkage in (0.1, 0.9):
            row["linear"].append(linear(X, y, shrinkage=shrinkage))
        if "fewer" not in name and "many sizes" not in name:
            row["quadratic"] += [quadratic(X, y, reg_param=r) for r in (0.05, 1.0)]
        out.append(row)
    versions = {"python": platform.python_version(), "scikit-learn": sklearn.__version__, "numpy": np.__version__}
    with open(OUT, "w", encoding="utf-8") as f:
        json.dump({"versions": versions, "sets": out}, f, separators=(",", ":"), allow_nan=False)
        f.write("\n")


if __name__ == "__main__":
    main()
