"""Make the answers that mlcore/conformal is tested against, with MAPIE.

    python -m venv FOLDER && FOLDER/bin/pip install mapie==1.6.0
    FOLDER/bin/python conformal.py

writes mlcore/conformal/testdata/peers.json: made-up rows, and the intervals of a least
squares fit by split conformal prediction, CV+ on unshuffled folds and the jackknife+.
"""

import json
import os
import platform

import mapie
import numpy as np
import sklearn
from mapie.regression import CrossConformalRegressor, SplitConformalRegressor
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold, LeaveOneOut

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "..", "..", "mlcore", "conformal", "testdata", "peers.json")


def main():
    rng = np.random.default_rng(20276)
    X = np.round(rng.normal(size=(90, 3)), 5)
    y = np.round(2 * X[:, 0] - X[:, 1] ** 2 + (0.5 + np.abs(X[:, 2])) * rng.normal(size=90), 5)
    fit, calibrate, fresh = slice(0, 40), slice(40, 80), slice(80, 90)
    cases = []
    for level in (0.5, 0.62, 0.8, 0.9, 0.95):  # 41 and 81 times these are no whole numbers
        model = LinearRegression().fit(X[fit], y[fit])
        split = SplitConformalRegressor(model, confidence_level=level, prefit=True)
        split.conformalize(X[calibrate], y[calibrate])
        _, bounds = split.predict_interval(X[fresh])
        cases.append({"method": "split", "folds": 0, "level": level, "intervals": bounds[:, :, 0].tolist()})
        for folds, cv in ((5, KFold(5)), (8, KFold(8)), (0, LeaveOneOut())):
            cross = CrossConformalRegressor(LinearRegression(), confidence_level=level, method="plus", cv=cv)
            cross.fit_conformalize(X[:80], y[:80])
            _, bounds = cross.predict_interval(X[fresh])
            cases.append({"method": "plus", "folds": folds, "level": level, "intervals": bounds[:, :, 0].tolist()})
    answers = {
        "versions": {"python": platform.python_version(), "numpy": np.__version__, "scikit-learn": sklearn.__version__, "mapie": mapie.__version__},
        "X": X.tolist(), "y": y.tolist(), "cases": cases,
    }
    os.makedirs(os.path.dirname(OUT), exist_ok=True)
    with open(OUT, "w") as f:
        json.dump(answers, f, indent=1)
        f.write("\n")


if __name__ == "__main__":
    main()
