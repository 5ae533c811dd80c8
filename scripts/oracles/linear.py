"""Make the answers that mlcore/linear is tested against, with scikit-learn,
statsmodels and scipy.

    python linear.py [FOLDER]

writes mlcore/linear/testdata/peers.json. Made-up data are stored with their
answers; of the data files in FOLDER (by default datasets/files) only
coefficients, losses and scores are. It needs statsmodels 0.15.0 beside
notebooks/peers/requirements.txt.
"""

import json
import os
import platform
import sys
import warnings

import numpy as np
import pandas as pd
import scipy
import sklearn
import statsmodels
import statsmodels.api as sm
from scipy.optimize import linprog
from sklearn.linear_model import ElasticNet, LinearRegression, LogisticRegression, Perceptron, Ridge, enet_path
from sklearn.metrics import log_loss
from sklearn.preprocessing import OneHotEncoder, StandardScaler

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
OUT = os.path.join(ROOT, "mlcore", "linear", "testdata", "peers.json")


def table(fit):
    return {
        "coef": [float(v) for v in np.ravel(fit.params)],
        "stderr": [float(v) for v in np.ravel(fit.bse)],
        "statistic": [float(v) for v in np.ravel(fit.tvalues)],
        "p": [float(v) for v in np.ravel(fit.pvalues)],
    }


def regression(rng):
    """Narrow and wide problems; columns of several scales, correlated."""
    problems = []
    for n, d in ((40, 4), (10, 15)):
        X = rng.normal(size=(n, d)) * np.resize([1, 4, 0.5, 3], d) + np.resize([0, 5, 1], d)
        X[:, 1] += 3 * X[:, 0]
        X = np.round(X, 4)
        y = np.round(X @ np.resize([2, -0.1, 5, 0], d) + 7 + rng.normal(size=n), 4)
        w = np.round(rng.uniform(0, 3, n), 2)
        w[0] = 0
        fits = []

        def add(kind, model, weights, intercept, **params):
            model.fit(X, y, sample_weight=weights)
            fits.append({"kind": kind, "weighted": weights is not None, "intercept": intercept, **params,
                         "coef": model.coef_.tolist(), "offset": float(model.intercept_)})

        for weights in (None, w):
            for intercept in (True, False):
                if n > d:
                    add("least squares", LinearRegression(fit_intercept=intercept), weights, intercept)
                for alpha in (0.5, 30.0):
                    add("ridge", Ridge(alpha=alpha, fit_intercept=intercept, solver="cholesky"), weights, intercept, alpha=alpha)
                for ratio in (1.0, 0.4):
                    for alpha in (0.05, 1.0):
                        add("elastic net", ElasticNet(alpha=alpha, l1_ratio=ratio, fit_intercept=intercept, tol=1e-13 if n > d else 1e-10, max_iter=10**6), weights, intercept, alpha=alpha, l1_ratio=ratio)
        centred, target = X - X.mean(axis=0), y - y.mean()
        alphas, coefs, _ = enet_path(centred, target, l1_ratio=0.7, eps=1e-3, alphas=12, tol=1e-13 if n > d else 1e-10, max_iter=10**6)
        problems.append({"X": X.tolist(), "y": y.tolist(), "w": w.tolist(), "fits": fits, "path": {"l1_ratio": 0.7, "alphas": alphas.tolist(), "coefs": coefs.tolist()}})
    return problems


def inference(rng):
    """Least squares with and without weights and intercept."""
    n = 30
    X = np.round(rng.normal(size=(n, 3)) * [1, 10, 0.1], 4)
    y = np.round(X @ [1, 0.05, 3] + 2 + rng.normal(size=n), 4)
    w = np.round(rng.uniform(0.1, 4, n), 2)
    fits = []
    for weights in (None, w):
        for intercept in (True, False):
            A = sm.add_constant(X) if intercept else X
            f = sm.WLS(y, A, weights=np.ones(n) if weights is None else weights).fit()
            fits.append({"weighted": weights is not None, "intercept": intercept, **table(f), "r2": f.rsquared, "adjusted_r2": f.rsquared_adj,
                         "f": f.fvalue, "fp": f.f_pvalue, "residual_variance": f.mse_resid, "df": int(f.df_resid), "rss": f.ssr})
    return {"X": X.tolist(), "y": y.tolist(), "w": w.tolist(), "fits": fits}


def logistic(rng):
    problems = []
    for K in (2, 3):
        n, d = 80, 4
        y = rng.integers(0, K, n)
        X = np.round(rng.normal(size=(n, d)) + 0.7 * np.outer(y, [1, -1, 0, 0.5]), 4)
        w = np.round(rng.uniform(0.1, 3, n), 2)
        w[:3] = 0
        Q = np.round(rng.normal(size=(8, d)), 4)
        fits = []
        for name, C, ratio in (("L2", 0.3, 0.0), ("L2", 1.0, 0.0), ("L1", 0.2, 1.0), ("ElasticNetPenalty", 0.25, 0.6), ("NoPenalty", np.inf, 0.0)):
            for weights, balanced, intercept in ((None, False, True), (w, True, True), (w, False, False)):
                solver = "newton-cg" if ratio == 0 else "saga"
                m = LogisticRegression(C=C, l1_ratio=ratio, solver=solver, fit_intercept=intercept, class_weight="balanced" if balanced else None, tol=1e-12, max_iter=10**6, random_state=0)
                m.fit(X, y, sample_weight=weights)
                fits.append({"penalty": name, "C": 0 if np.isinf(C) else C, "l1_ratio": ratio if name == "ElasticNetPenalty" else 0, "weighted": weights is not None, "balanced": balanced, "intercept": intercept,
                             "coef": m.coef_.tolist(), "offset": np.broadcast_to(m.intercept_, (len(m.coef_),)).tolist(), "proba": m.predict_proba(Q).tolist()})
        A = sm.add_constant(X)
        unpenalised = (sm.Logit if K == 2 else sm.MNLogit)(y, A).fit(disp=0, method="newton", maxiter=100, tol=1e-14)
        counts = rng.integers(0, 4, n)
        repeated = np.repeat(np.arange(n), counts)
        weighted = (sm.Logit if K == 2 else sm.MNLogit)(y[repeated], A[repeated]).fit(disp=0, method="newton", maxiter=100, tol=1e-14)

        far = A + 100 * (np.arange(d + 1) == 1)
        offset = (sm.Logit if K == 2 else sm.MNLogit)(y, far).fit(disp=0, method="newton", maxiter=100, tol=1e-11)

        def tables(f):
            if K == 2:
                return [table(f)]
            return [{"coef": np.asarray(f.params)[:, k].tolist(), "stderr": np.asarray(f.bse)[:, k].tolist(), "statistic": np.asarray(f.tvalues)[:, k].tolist(), "p": np.asarray(f.pvalues)[:, k].tolist()} for k in range(K - 1)]

        problems.append({"X": X.tolist(), "y": y.tolist(), "w": w.tolist(), "queries": Q.tolist(), "fits": fits,
                         "inference": tables(unpenalised), "counts": counts.tolist(), "counted": tables(weighted), "offset": tables(offset)})
    return problems


def separable(X, y):
    """Whether classes can be separated, by a linear program: the parameters, each
    of at most 1, that leave no row on the wrong side and have the greatest sum of
    margins."""
    A = np.column_stack([np.ones(len(X)), X / np.abs(X).max(axis=0)])
    K, p = y.max() + 1, A.shape[1]
    margins = []
    for row, own in zip(A, y):
        for k in range(K):
            if k != own:
                m = np.zeros((K, p))
                m[own] += row
                m[k] -= row
                margins.append(m.ravel())
    margins = np.array(margins)
    best = linprog(-margins.sum(axis=0), A_ub=-margins, b_ub=np.zeros(len(margins)), bounds=[(-1, 1)] * (K * p), method="highs")
    assert best.status == 0 and (best.fun < -1e-3 or best.fun > -1e-9)
    return bool(best.fun < -1e-3)


def separation(rng):
    """Whole numbers, of which many lie on one hyperplane, in columns of several
    scales."""
    problems = []
    while len(problems) < 60:
        n, d, K = int(rng.integers(8, 40)), int(rng.integers(1, 4)), int(rng.integers(2, 5))
        X = rng.integers(-2, 3, (n, d)).astype(float)
        if rng.random() < 0.5:
            X *= 10.0 ** rng.integers(-2, 4, d)
        if d > 1 and rng.random() < 0.3:
            X[:, -1] = X[:, 0]
        if (X == 0).all(axis=0).any():
            continue
        score = X / np.abs(X).max(axis=0) @ rng.normal(size=(d, K)) * rng.choice([1, 5, 20]) + rng.gumbel(size=(n, K))
        y = score.argmax(axis=1)
        if len(np.unique(y)) == K:
            problems.append({"X": X.tolist(), "y": y.tolist(), "separable": separable(X, y)})
    return problems


def perceptron(rng):
    problems = []
    for K in (2, 3):
        n = 30
        y = rng.integers(0, K, n)
        X = np.round(rng.normal(size=(n, 3)) + np.outer(y, [1, -1, 0.5]), 3)
        w = np.round(rng.uniform(0.1, 3, n), 2)
        fits = []
        for epochs in (1, 2, 7):
            for weights in (None, w):
                for rate, intercept in ((1.0, True), (0.25, False)):
                    m = Perceptron(shuffle=False, tol=None, max_iter=epochs, eta0=rate, fit_intercept=intercept)
                    m.fit(X, y, sample_weight=weights)
                    fits.append({"epochs": epochs, "weighted": weights is not None, "rate": rate, "intercept": intercept, "coef": m.coef_.tolist(), "offset": np.broadcast_to(m.intercept_, (len(m.coef_),)).tolist()})
        problems.append({"X": X.tolist(), "y": y.tolist(), "w": w.tolist(), "fits": fits})
    return problems


def income(folder):
    """Logistic regression on one-hot columns."""
    train = pd.read_csv(os.path.join(folder, "train-income_data_nominal_nomissing.csv"))
    test = pd.read_csv(os.path.join(folder, "test-income_data_nominal_nomissing.csv"))
    encoder = OneHotEncoder(handle_unknown="ignore").fit(train.iloc[:, :-1])
    A, B = encoder.transform(train.iloc[:, :-1]), encoder.transform(test.iloc[:, :-1])
    a, b = (train.iloc[:, -1] == ">50K").astype(int), (test.iloc[:, -1] == ">50K").astype(int)
    out = {"rows": A.shape[0], "columns": A.shape[1]}
    for name, ratio, C in (("L2", 0.0, 1.0), ("L1", 1.0, 0.1)):
        m = LogisticRegression(C=C, l1_ratio=ratio, solver="newton-cg" if ratio == 0 else "saga", tol=1e-9, max_iter=100000, random_state=0).fit(A, a)
        size = np.abs(m.coef_).sum() if ratio else (m.coef_**2).sum() / 2
        out[name] = {"C": C, "loss": float(log_loss(a, m.predict_proba(A)) + size / (C * len(a))), "accuracy": float(m.score(B, b)), "log_loss": float(log_loss(b, m.predict_proba(B)))}
    return out


def hitters(folder):
    """Ridge, lasso and least squares on the numeric columns, standardised and not."""
    t = pd.read_csv(os.path.join(folder, "Hitters.csv")).dropna(subset=["Salary"])
    X, y = t.select_dtypes("number").drop(columns=["Salary"]), t["Salary"].to_numpy()
    Z = StandardScaler().fit_transform(X)
    out = {"columns": list(X.columns), "rows": len(y)}
    for name, model, A in (
        ("least squares", LinearRegression(), X.to_numpy()),
        ("ridge", Ridge(alpha=100), Z),
        ("lasso", ElasticNet(alpha=10, l1_ratio=1, tol=1e-13, max_iter=10**6), Z),
    ):
        model.fit(A, y)
        out[name] = {"coef": model.coef_.tolist(), "intercept": float(model.intercept_), "r2": float(model.score(A, y))}
    return out


def main():
    warnings.simplefilter("error")
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "datasets", "files")
    rng = np.random.default_rng(20265)
    answers = {
        "made_by": {"script": "scripts/oracles/linear.py", "python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__, "scikit-learn": sklearn.__version__, "statsmodels": statsmodels.__version__},
        "regression": regression(rng),
        "inference": inference(rng),
        "logistic": logistic(rng),
        "separation": separation(np.random.default_rng(0)),
        "perceptron": perceptron(rng),
        "income": income(folder),
        "hitters": hitters(folder),
    }
    with open(OUT, "w", encoding="utf-8") as f:
        json.dump(answers, f, separators=(",", ":"))
        f.write("\n")


if __name__ == "__main__":
    main()
