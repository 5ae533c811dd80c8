"""Make the answers that mlcore/modelsel's ROC AUC of decision values is tested against, with scikit-learn.

    python modelsel_auc.py

writes mlcore/modelsel/testdata/peers_auc.json: made-up data of two classes, and the ROC AUC
of each fold, and the decision values, of models with decision values, with probabilities and with both, alone and
inside others. Folds are not shuffled, so that both sides have the same. Problems are solved
to their minimum, so that both sides rank rows alike.
"""

import json
import os
import platform

import numpy as np
import sklearn
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.ensemble import StackingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import FixedThresholdClassifier, StratifiedKFold, cross_val_predict, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "..", "..", "mlcore", "modelsel", "testdata", "peers_auc.json")


def main():
    rng = np.random.default_rng(52)
    n = 200
    X = np.round(rng.normal(size=(n, 3)) * [1.0, 20.0, 0.3] + [0, 100, 5], 6)
    y = (X @ [1.0, -0.03, 1.5] - 4.5 + 1.2 * rng.normal(size=n) > 0).astype(int)
    linear = LinearSVC(dual=False, tol=1e-12, max_iter=100_000)
    kernel = SVC(kernel="rbf", gamma=0.5, tol=1e-9)
    logistic = LogisticRegression(tol=1e-10, max_iter=10_000)
    folds = StratifiedKFold(5)
    models = {
        "linear machine in a pipeline": make_pipeline(StandardScaler(), linear),
        "kernel machine in a pipeline": make_pipeline(StandardScaler(), kernel),
        "pipeline in a pipeline": make_pipeline(StandardScaler(), make_pipeline(StandardScaler(), kernel)),
        "logistic regression in a pipeline": make_pipeline(StandardScaler(), logistic),
        "naive Bayes": GaussianNB(),
        "linear discriminants": LinearDiscriminantAnalysis(),
        "quadratic discriminants": QuadraticDiscriminantAnalysis(),
        "threshold": FixedThresholdClassifier(make_pipeline(StandardScaler(), logistic), threshold=0.3),
        "stack": StackingClassifier([("b", GaussianNB())], SVC(kernel="linear", tol=1e-9), cv=folds),
    }
    out = {
        "made_by": {"script": "scripts/oracles/modelsel_auc.py", "python": platform.python_version(), "numpy": np.__version__, "scikit-learn": sklearn.__version__},
        "X": X.tolist(), "y": y.tolist(),
        "auc": {name: cross_val_score(m, X, y, cv=folds, scoring="roc_auc").tolist() for name, m in models.items()},
        "decisions": {
            name: np.round(cross_val_predict(models[name], X, y, cv=folds, method="decision_function"), 9).tolist()
            for name in ("linear machine in a pipeline", "kernel machine in a pipeline", "logistic regression in a pipeline",
                         "linear discriminants", "quadratic discriminants")
        },
    }
    with open(OUT, "w", encoding="utf-8") as f:
        json.dump(out, f, separators=(",", ":"))
        f.write("\n")


if __name__ == "__main__":
    main()
