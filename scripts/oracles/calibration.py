"""Make the answers that mlcore/calibration is tested against, with scikit-learn.

    python calibration.py

writes mlcore/calibration/testdata/peers.json: made-up rows of two and of three classes,
and the probabilities of scikit-learn's CalibratedClassifierCV of several classifiers in
five folds that are not shuffled.
"""

import json
import os
import platform
import warnings

import numpy as np
import sklearn
from sklearn.calibration import CalibratedClassifierCV
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "..", "..", "mlcore", "calibration", "testdata", "peers.json")
ASKED = 25
LEARNERS = {
    "naive Bayes": GaussianNB(),
    "logistic": LogisticRegression(tol=1e-12, max_iter=10000),
    "SVC": SVC(tol=1e-10),
    "linear SVC": LinearSVC(loss="squared_hinge", dual=False, tol=1e-12, max_iter=100000, intercept_scaling=1),
    "pipeline": make_pipeline(StandardScaler(), SVC(tol=1e-10)),
}


def made_up(k, n, seed):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % k)
    X = np.round(rng.normal(size=(n, 3)) + 1.2 * np.array([[np.cos(2 * c), np.sin(2 * c), 0.1 * c] for c in y]), 4)
    return X, y


def main():
    warnings.simplefilter("ignore")
    out = []
    for k, n in ((2, 120), (3, 150)):
        X, y = made_up(k, n, k)
        w = np.round(np.random.default_rng(5).uniform(0.5, 2, n), 3)
        fits = []
        for name, learner in LEARNERS.items():
            for method in ("sigmoid", "isotonic"):
                for ensemble in (True, False):
                    for weighted in (False, True):
                        if weighted and name != "naive Bayes":
                            continue
                        m = CalibratedClassifierCV(learner, method=method, cv=5, ensemble=ensemble)
                        m.fit(X, y, sample_weight=w if weighted else None)
                        fits.append({"learner": name, "method": method, "ensemble": ensemble, "weighted": weighted, "proba": m.predict_proba(X[:ASKED]).tolist()})
        out.append({"X": X.tolist(), "y": y.tolist(), "w": w.tolist(), "fits": fits})
    versions = {"python": platform.python_version(), "scikit-learn": sklearn.__version__, "numpy": np.__version__}
    os.makedirs(os.path.dirname(OUT), exist_ok=True)
    with open(OUT, "w", encoding="utf-8") as f:
        json.dump({"versions": versions, "sets": out}, f, separators=(",", ":"), allow_nan=False)
        f.write("\n")


if __name__ == "__main__":
    main()
