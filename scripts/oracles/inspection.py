"""Make the answers that mlcore/inspection is tested against, with scikit-learn.

    python inspection.py

writes mlcore/inspection/testdata/peers.json: made-up rows, and the partial dependence of
models on them. One model is a formula that both sides know.
"""

import json
import os
import platform

import numpy as np
import sklearn
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.inspection import partial_dependence
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "..", "..", "mlcore", "inspection", "testdata", "peers.json")


class Formula(RegressorMixin, BaseEstimator):
    """2a² - ab + 3c + d, where d is the code of a category."""

    def fit(self, X, y=None):
        self.fitted_ = True
        self.n_features_in_ = 4
        return self

    def predict(self, X):
        X = np.asarray(X, dtype=float)
        return 2 * X[:, 0] ** 2 - X[:, 0] * X[:, 1] + 3 * X[:, 2] + X[:, 3]


def main():
    rng = np.random.default_rng(20275)
    n = 120
    X = np.round(rng.normal(size=(n, 4)), 5)
    X[:, 2] = rng.integers(0, 7, n)  # few distinct values
    X[:, 3] = rng.choice([0, 1, 3], n)  # level 2 of 4 does not occur
    score = X[:, 0] - 0.5 * X[:, 1] + 0.2 * X[:, 2] + rng.normal(size=n)
    two, three = (score > 0.6).astype(int), np.digitize(score, [0.0, 1.4])
    weights = np.round(rng.uniform(0.2, 3, n), 3)
    formula = Formula().fit(X)
    bayes = GaussianNB().fit(X[:, :3], three)
    logistic = LogisticRegression(tol=1e-12, max_iter=100000).fit(X[:, :3], two)
    cases = []

    def add(model, X, features, kind="both", target=0, **more):
        r = partial_dependence(model, X, features, kind=kind, method="brute", categorical_features=[3] if X.shape[1] == 4 else None, **more)
        cases.append({
            "model": {Formula: "formula", GaussianNB: "bayes", LogisticRegression: "logistic"}[type(model)], "features": features,
            "points": more.get("grid_resolution", 0), "percentiles": list(more.get("percentiles", (0, 0))), "weighted": "sample_weight" in more,
            "log_odds": more.get("response_method") == "decision_function", "class": target,
            "values": [v.tolist() for v in r["grid_values"]], "average": r["average"][target].ravel().tolist(),
            "individual": r["individual"][target].reshape(n, -1)[:6].tolist() if kind == "both" else None,
        })

    add(formula, X, [0], grid_resolution=12)
    add(formula, X, [0])
    add(formula, X, [2])
    add(formula, X, [3])
    add(formula, X, [0, 1], grid_resolution=5, percentiles=(0.1, 0.8))
    add(formula, X, [3, 0], grid_resolution=4)
    add(formula, X, [0], kind="average", grid_resolution=8, sample_weight=weights)
    add(formula, X, [1], grid_resolution=5, percentiles=(0.0, 1.0))
    add(bayes, X[:, :3], [0], grid_resolution=10, target=2)
    add(bayes, X[:, :3], [1, 2], grid_resolution=6, target=0)
    add(logistic, X[:, :3], [0], grid_resolution=10)
    add(logistic, X[:, :3], [0], grid_resolution=10, response_method="decision_function")
    out = {
        "made_by": {"script": "scripts/oracles/inspection.py", "python": platform.python_version(), "numpy": np.__version__, "scikit-learn": sklearn.__version__},
        "X": X.tolist(), "two": two.tolist(), "three": three.tolist(), "weights": weights.tolist(), "cases": cases,
    }
    with open(OUT, "w", encoding="utf-8") as f:
        json.dump(out, f, separators=(",", ":"))
        f.write("\n")


if __name__ == "__main__":
    main()
