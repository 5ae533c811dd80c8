"""Make the answers that decision thresholds in mlcore/modelsel are tested against, with scikit-learn.

    python modelsel_threshold.py

writes mlcore/modelsel/testdata/peers_threshold.json: made-up data, the thresholds that were
tried with their scores, and what is predicted. Folds are not shuffled, so that both sides
have the same.
"""

import json
import os
import platform

import numpy as np
import sklearn
from sklearn.metrics import confusion_matrix, f1_score, make_scorer
from sklearn.model_selection import FixedThresholdClassifier, StratifiedKFold, TunedThresholdClassifierCV
from sklearn.naive_bayes import GaussianNB

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "..", "..", "mlcore", "modelsel", "testdata", "peers_threshold.json")
COSTS = np.array([[0.0, 1.0], [12.5, -2.0]])


def cost(y, predicted):
    return float((confusion_matrix(y, predicted, labels=[0, 1]) * COSTS).sum() / len(y))


def main():
    rng = np.random.default_rng(20274)
    n, q = 140, 40
    X = np.round(rng.normal(size=(n + q, 2)), 6)
    y = (X @ [1.0, -0.6] + rng.normal(size=n + q) > 1.4).astype(int)[:n]
    scorers = {
        "balanced accuracy": "balanced_accuracy",
        "accuracy": "accuracy",
        "macro F1": make_scorer(f1_score, average="macro", zero_division=0),
        "cost": make_scorer(cost, greater_is_better=False),
    }
    cases = []
    for name, scorer in scorers.items():
        for thresholds in (100, [0.05, 0.1, 0.2, 0.3, 0.5, 0.9]):
            m = TunedThresholdClassifierCV(GaussianNB(), scoring=scorer, thresholds=thresholds, cv=StratifiedKFold(5), store_cv_results=True).fit(X[:n], y)
            cases.append({
                "scorer": name, "given": None if thresholds == 100 else thresholds,
                "thresholds": m.cv_results_["thresholds"].tolist(), "scores": m.cv_results_["scores"].tolist(),
                "best": m.best_threshold_, "predictions": m.predict(X[n:]).tolist(),
            })
    fixed = [{"threshold": t, "predictions": FixedThresholdClassifier(GaussianNB(), threshold=t).fit(X[:n], y).predict(X[n:]).tolist()} for t in (0.5, 0.1, 0.9, 1.0)]
    out = {
        "made_by": {"script": "scripts/oracles/modelsel_threshold.py", "python": platform.python_version(), "numpy": np.__version__, "scikit-learn": sklearn.__version__},
        "X": X[:n].tolist(), "queries": X[n:].tolist(), "y": y.tolist(), "costs": COSTS.tolist(), "tuned": cases, "fixed": fixed,
    }
    with open(OUT, "w", encoding="utf-8") as f:
        json.dump(out, f, separators=(",", ":"))
        f.write("\n")


if __name__ == "__main__":
    main()
