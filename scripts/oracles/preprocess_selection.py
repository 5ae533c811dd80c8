"""Make the answers that feature selection in mlcore/preprocess is tested against, with scikit-learn.

    python preprocess_selection.py

writes mlcore/preprocess/testdata/peers_selection.json: made-up data, scores and p-values
of columns, which are selected, and the rankings of recursive elimination. Folds are not
shuffled, so that both sides have the same.
"""

import json
import os
import platform
import warnings

import numpy as np
import sklearn
from sklearn.feature_selection import RFE, RFECV, SelectFdr, SelectKBest, chi2, f_classif, f_regression, mutual_info_classif, mutual_info_regression
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import KFold, StratifiedKFold

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "..", "..", "mlcore", "preprocess", "testdata", "peers_selection.json")


def numbers(v):
    """A list, with None for what is not finite."""
    return [float(x) if np.isfinite(x) else None for x in v]


def main():
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(20272)
    n = 90
    X = rng.normal(size=(n, 8))
    score = X @ [1.2, 0, -0.8, 0.3, 0, 0.5, 0, 0] + 0.7 * rng.normal(size=n)
    y = np.digitize(score, [-0.9, 0.8])
    target = np.round(score, 6)
    X[:, 4] = 0.1  # constant
    X[:, 5] = X[:, 5] * 1e-3 + 1e6  # far from 0
    X[:, 6] *= 1e5
    X = np.round(X, 7)
    codes = np.column_stack([(score > 0).astype(int) * 2 + rng.integers(0, 2, n), rng.integers(0, 3, n)]).astype(float)
    counts = rng.poisson(1.5 + 1.5 * np.column_stack([y == 0, y == 1, y == 5, y == 2, y >= 1]), size=(n, 5)).astype(float)
    counts[:, 2] = 0
    rest = [0, 1, 2, 3, 6, 7]

    # F does not change with the origin, but scikit-learn's sums lose column 5 unless its
    # values are moved near to 0. The differences are exact to 1e-10.
    near = X - X[0]

    def univariate(f, X, y):
        s, p = f(X, y)
        return {"scores": numbers(s), "p_values": numbers(p)}

    def kept(selector, X, y):
        return np.flatnonzero(selector.fit(X, y).get_support()).tolist()

    def logistic():
        return LogisticRegression(tol=1e-12, max_iter=100000)

    scaled = np.round((X[:, rest] - X[:, rest].mean(axis=0)) / X[:, rest].std(axis=0), 7)
    rfe, rfecv = [], []
    for task, estimator, t in (("classes", logistic(), y), ("numbers", LinearRegression(), target)):
        for features, step in ((2, 1), (1, 2), (3, 0.4)):
            m = RFE(estimator, n_features_to_select=features, step=step).fit(scaled, t)
            rfe.append({"task": task, "features": features, "step": step, "ranking": m.ranking_.tolist()})
        cv = StratifiedKFold(4) if task == "classes" else KFold(4)
        for step, least in ((1, 1), (2, 2)):
            m = RFECV(estimator, step=step, min_features_to_select=least, cv=cv).fit(scaled, t)
            rfecv.append({
                "task": task, "step": step, "least": least, "ranking": m.ranking_.tolist(), "sizes": m.cv_results_["n_features"].tolist(),
                "means": m.cv_results_["mean_test_score"].tolist(), "folds": [m.cv_results_[f"split{i}_test_score"].tolist() for i in range(4)],
            })
    out = {
        "made_by": {"script": "scripts/oracles/preprocess_selection.py", "python": platform.python_version(), "numpy": np.__version__, "scikit-learn": sklearn.__version__},
        "X": X.tolist(), "scaled": scaled.tolist(), "codes": codes.tolist(), "counts": counts.tolist(), "y": y.tolist(), "target": target.tolist(),
        "f_classes": univariate(f_classif, near, y), "f_numbers": univariate(f_regression, near, target), "chi2": univariate(chi2, counts, y),
        "information": [
            {
                "neighbors": k,
                "numbers_classes": mutual_info_classif(X[:, rest], y, n_neighbors=k, random_state=0).tolist(),
                "numbers_numbers": mutual_info_regression(X[:, rest], target, n_neighbors=k, random_state=0).tolist(),
                "codes_classes": mutual_info_classif(codes, y, discrete_features=True, n_neighbors=k).tolist(),
                "codes_numbers": mutual_info_regression(codes, target, discrete_features=True, n_neighbors=k, random_state=0).tolist(),
            }
            for k in (1, 3, 7)
        ],
        "kept": {
            "classes": {str(k): kept(SelectKBest(f_classif, k=k), near, y) for k in (1, 3, 5)},
            "numbers": {str(k): kept(SelectKBest(f_regression, k=k), near, target) for k in (1, 3, 5)},
            "fdr": {str(a): kept(SelectFdr(f_regression, alpha=a), near, target) for a in (0.001, 0.05, 0.5)},
        },
        "rfe": rfe, "rfecv": rfecv,
    }
    with open(OUT, "w", encoding="utf-8") as f:
        json.dump(out, f, separators=(",", ":"))
        f.write("\n")


if __name__ == "__main__":
    main()
