"""Make the answers that stacking in mlcore/ensemble is tested against, with scikit-learn.

    python ensemble_stacking.py

writes mlcore/ensemble/testdata/peers_stacking.json: made-up data, what the final model
is shown of the queries, its coefficients and what it predicts. Folds are not shuffled,
so that both sides have the same.
"""

import json
import os
import platform

import numpy as np
import sklearn
from sklearn.ensemble import StackingClassifier, StackingRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "..", "..", "mlcore", "ensemble", "testdata", "peers_stacking.json")


def logistic():
    return LogisticRegression(tol=1e-12, max_iter=100000)


def main():
    rng = np.random.default_rng(20270)
    n, q = 90, 25
    X = np.round(rng.normal(size=(n + q, 3)), 6)
    score = X @ [1.5, -1, 0.3] + 0.8 * rng.normal(size=n + q)
    labels = {2: (score > 0.3).astype(int), 3: np.digitize(score, [-0.8, 0.9])}
    target = np.round(np.sin(X[:, 0]) * 3 + X[:, 1] ** 2 + 0.2 * rng.normal(size=n + q), 6)
    weights = np.round(rng.uniform(0.2, 3, size=n), 3)
    train, test = slice(0, n), slice(n, None)
    learners = {"naive Bayes": GaussianNB(), "logistic": logistic(), "neighbours": KNeighborsClassifier(7)}
    cases = []
    for name, k, chosen, folds, passthrough, method, w in (
        ("two classes", 2, ["naive Bayes", "logistic", "neighbours"], 5, False, "auto", None),
        ("three classes", 3, ["naive Bayes", "logistic", "neighbours"], 4, False, "auto", None),
        ("passthrough", 3, ["neighbours"], 5, True, "auto", None),
        ("weights", 2, ["naive Bayes", "logistic"], 3, False, "auto", weights),
        ("classes alone", 2, ["naive Bayes", "neighbours"], 5, False, "predict", None),
    ):
        m = StackingClassifier([(c, learners[c]) for c in chosen], logistic(), cv=StratifiedKFold(folds), stack_method=method, passthrough=passthrough)
        m.fit(X[train], labels[k][train], **({} if w is None else {"sample_weight": w}))
        cases.append({
            "name": name, "classes": k, "learners": chosen, "folds": folds, "passthrough": passthrough, "labels_only": method == "predict", "weighted": w is not None,
            "inputs": m.transform(X[test]).tolist(), "coef": m.final_estimator_.coef_.tolist(), "proba": m.predict_proba(X[test]).tolist(),
        })
    regressors = {"least squares": LinearRegression(), "neighbours": KNeighborsRegressor(5), "ridge": Ridge(2.0)}
    regressions = []
    for name, chosen, folds, passthrough, w in (
        ("two learners", ["least squares", "neighbours"], 5, False, None),
        ("passthrough", ["neighbours", "ridge"], 3, True, None),
        ("weights", ["least squares", "ridge"], 4, False, weights),
    ):
        m = StackingRegressor([(c, regressors[c]) for c in chosen], Ridge(1.0), cv=KFold(folds), passthrough=passthrough)
        m.fit(X[train], target[train], **({} if w is None else {"sample_weight": w}))
        regressions.append({
            "name": name, "learners": chosen, "folds": folds, "passthrough": passthrough, "weighted": w is not None,
            "inputs": m.transform(X[test]).tolist(), "coef": m.final_estimator_.coef_.tolist(), "predictions": m.predict(X[test]).tolist(),
        })
    out = {
        "made_by": {"script": "scripts/oracles/ensemble_stacking.py", "python": platform.python_version(), "numpy": np.__version__, "scikit-learn": sklearn.__version__},
        "X": X[train].tolist(), "queries": X[test].tolist(), "labels": {str(k): v[train].tolist() for k, v in labels.items()}, "target": target[train].tolist(), "weights": weights.tolist(),
        "classification": cases, "regression": regressions,
    }
    with open(OUT, "w", encoding="utf-8") as f:
        json.dump(out, f, separators=(",", ":"))
        f.write("\n")


if __name__ == "__main__":
    main()
