"""Make the answers that mlcore/svm is tested against, with scikit-learn and numpy.

    python svm.py [FOLDER]

writes mlcore/svm/testdata/peers.json. Made-up data are stored with their
answers. Their coordinates have random digits, so that no two rows are equal and
the support vectors are unique. Of letter-recognition.data in FOLDER (by default
datasets/files) only scores are stored.
"""

import glob
import json
import os
import platform
import sys

import numpy as np
import scipy
import sklearn
from sklearn.calibration import _SigmoidCalibration
from sklearn.datasets import load_iris
from sklearn.metrics import log_loss
from sklearn.metrics.pairwise import linear_kernel, polynomial_kernel, rbf_kernel
from sklearn.svm import SVC, SVR, LinearSVC, LinearSVR

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
OUT = os.path.join(ROOT, "mlcore", "svm", "testdata", "peers.json")
FOLDER = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "datasets", "files")

rng = np.random.default_rng(20262)
N, D, Q = 140, 3, 20
TOLERANCE = 1e-9


def rounded(a):
    return np.round(a, 6)


X = rounded(rng.normal(size=(N, D)) * [1, 2, 0.5])
queries = rounded(rng.normal(size=(Q, D)) * [1, 2, 0.5])
score = X[:, 0] + 0.5 * X[:, 1] - X[:, 2] ** 2 + 0.7 * rng.normal(size=N)
binary = (score > 0).astype(int)
classes = np.digitize(score, [-1.2, 0, 1.2])
targets = rounded(np.sin(X[:, 0]) + 0.3 * X[:, 1] + 0.2 * rng.normal(size=N))
weights = rounded(rng.uniform(0.2, 3, N))
weights[:7] = 0


def gram(kind, params, A, B):
    """The kernel matrix of A and B."""
    gamma = params.get("gamma")
    if gamma is None:
        gamma = 1 / (D * X.var())
    if kind == "linear":
        return linear_kernel(A, B)
    if kind == "poly":
        return polynomial_kernel(A, B, degree=params.get("degree", 3), gamma=gamma, coef0=params.get("coef0", 0))
    return rbf_kernel(A, B, gamma=gamma)


def pair_coefficients(model, rows_of):
    """Each pair's dual coefficients over all training rows, by libsvm's layout."""
    k, start = len(model.classes_), np.concatenate([[0], np.cumsum(model.n_support_)])
    out = []
    for i in range(k):
        for j in range(i + 1, k):
            beta = np.zeros(rows_of)
            a, b = slice(start[i], start[i + 1]), slice(start[j], start[j + 1])
            beta[model.support_[a]] = model.dual_coef_[j - 1, a]
            beta[model.support_[b]] = model.dual_coef_[i, b]
            out.append(beta)
    return out


def used_rows(weighted):
    """The rows of positive weight. scikit-learn numbers the support vectors among
    these, whatever rows it is given, so it is given these only."""
    return np.flatnonzero(weights > 0) if weighted else np.arange(N)


def polish(K, beta, cost, z, epsilon):
    """libsvm keeps kernel values in single precision. This solves the linear system
    of the optimality conditions in double precision for the support vectors that
    libsvm has found, checks the conditions, and returns beta and b."""
    bound = np.abs(beta) >= cost * (1 - 1e-6)
    free = (np.abs(beta) > 1e-6 * cost) & ~bound
    fixed = np.where(bound, np.sign(beta) * cost, 0)
    F, n = np.flatnonzero(free), int(free.sum())
    system = np.block([[K[np.ix_(F, F)], np.ones((n, 1))], [np.ones((1, n)), np.zeros((1, 1))]])
    right = np.append(z[F] - epsilon * np.sign(beta[F]) - K[F] @ fixed, -fixed.sum())
    solved = np.linalg.solve(system, right)
    beta = fixed.copy()
    beta[F], b = solved[:n], solved[n]
    rest = z - K @ beta - b  # within the tube at 0, on or outside it at a bound
    assert np.all(np.abs(beta) <= cost + 1e-9) and np.all(np.sign(beta) * rest >= epsilon * (beta != 0) - 1e-8)
    if epsilon == 0 and set(z) == {-1, 1}:
        assert np.all(z * rest <= np.where(beta == 0, 1e-8, np.inf)) and np.all(np.sign(beta) * z >= 0)
    else:
        assert np.all(np.abs(rest[beta == 0]) <= epsilon + 1e-8)
    return beta, float(b)


def costs(y, weighted, params):
    rows = used_rows(weighted)
    cost = np.full(len(rows), float(params.get("C", 1)))
    if weighted:
        cost *= weights[rows]
    class_weight = params.get("class_weight")
    if class_weight == "balanced":
        cost *= len(rows) / (len(set(y)) * np.bincount(y)[y[rows]])
    elif class_weight:
        cost *= [class_weight[c] for c in y[rows]]
    return cost


def classifier(name, y, weighted=False, **params):
    kind = params.get("kernel", "rbf")
    rows = used_rows(weighted)
    n = len(rows)
    model = SVC(tol=TOLERANCE, decision_function_shape="ovo", **params)
    model.fit(X[rows], y[rows], sample_weight=weights[rows] if weighted else None)
    K, to_queries = gram(kind, params, X[rows], X[rows]), gram(kind, params, queries, X[rows])
    # In scikit-learn, with more than two classes, the lower class of a pair is
    # the positive one; here it is the higher one.
    flip = 1 if len(model.classes_) == 2 else -1
    cost, answers, support = costs(y, weighted, params), [], set()
    pairs = [(i, j) for i in range(len(model.classes_)) for j in range(i + 1, len(model.classes_))]
    for (i, j), beta in zip(pairs, pair_coefficients(model, n)):
        own = np.flatnonzero((y[rows] == i) | (y[rows] == j))
        z = np.where(y[rows][own] == j, 1.0, -1.0)
        Kown = K[np.ix_(own, own)]
        beta, b = polish(Kown, flip * beta[own], cost[own], z, 0)
        support |= {int(rows[r]) for r in own[beta != 0]}
        answers.append(
            {
                "intercept": b,
                "objective": float(0.5 * beta @ Kown @ beta - np.abs(beta).sum()),
                "width": float(2 / np.sqrt(beta @ Kown @ beta)),
                "decision": (to_queries[:, own] @ beta + b).tolist(),
            }
        )
    assert support == {int(i) for i in rows[model.support_]}
    decision = np.array([a["decision"] for a in answers]).T
    assert np.allclose(decision, flip * model.decision_function(queries).reshape(Q, -1), rtol=1e-3, atol=1e-3)
    return {
        "name": name,
        "labels": "binary" if len(model.classes_) == 2 else "classes",
        "weighted": weighted,
        "params": {k: v for k, v in params.items() if k != "class_weight"},
        "class_weight": [params["class_weight"][c] for c in model.classes_] if isinstance(params.get("class_weight"), dict) else None,
        "balanced": params.get("class_weight") == "balanced",
        "support": sorted(support),
        "predict": model.predict(queries).tolist(),
        **{key: [a[key] for a in answers] for key in ("intercept", "objective", "width")},
        "decision": decision.tolist(),
    }


def regressor(name, weighted=False, **params):
    kind, rows, epsilon = params.get("kernel", "rbf"), used_rows(weighted), params["epsilon"]
    model = SVR(tol=TOLERANCE, **params).fit(X[rows], targets[rows], sample_weight=weights[rows] if weighted else None)
    beta, z = np.zeros(len(rows)), targets[rows]
    beta[model.support_] = model.dual_coef_[0]
    K = gram(kind, params, X[rows], X[rows])
    beta, b = polish(K, beta, costs(None, weighted, params), z, epsilon)
    predict = gram(kind, params, queries, X[rows]) @ beta + b
    assert np.allclose(predict, model.predict(queries), rtol=1e-3, atol=1e-3)
    return {
        "name": name,
        "weighted": weighted,
        "params": params,
        "support": [int(i) for i in rows[beta != 0]],
        "intercept": b,
        "predict": predict.tolist(),
        "objective": float(0.5 * beta @ K @ beta - z @ beta + epsilon * np.abs(beta).sum()),
    }


def linear_classifier(name, y, weighted=False, **params):
    model = LinearSVC(tol=1e-8, max_iter=100_000, dual=True, random_state=0, **params)
    model.fit(X, y, sample_weight=weights if weighted else None)
    return {
        "name": name,
        "labels": "binary" if len(model.classes_) == 2 else "classes",
        "weighted": weighted,
        "params": {k: v for k, v in params.items() if k != "class_weight"},
        "class_weight": [params["class_weight"][c] for c in model.classes_] if "class_weight" in params else None,
        "coef": model.coef_.tolist(),
        "intercept": np.atleast_1d(model.intercept_).tolist() if params.get("fit_intercept", True) else [0.0] * len(model.coef_),
        "predict": model.predict(queries).tolist(),
    }


def linear_regressor(name, weighted=False, **params):
    model = LinearSVR(tol=1e-8, max_iter=100_000, dual=True, random_state=0, **params)
    model.fit(X, targets, sample_weight=weights if weighted else None)
    return {
        "name": name,
        "weighted": weighted,
        "params": params,
        "coef": model.coef_.tolist(),
        "intercept": [float(np.ravel(model.intercept_)[0])],
        "predict": model.predict(queries).tolist(),
    }


def platt():
    """Sigmoids of scikit-learn, and the coupling of Wu, Lin & Weng solved directly."""
    f = rounded(rng.normal(size=60) * 2)
    high = (f + rng.normal(size=60) > 0.5).astype(int)
    w = rounded(rng.uniform(0.5, 2, 60))
    sigmoids = []
    for sample_weight in (None, w):
        s = _SigmoidCalibration().fit(f, high, sample_weight)
        sigmoids.append([float(s.a_), float(s.b_)])
    couplings = []
    for k in (3, 4, 7):
        r = np.zeros((k, k))
        for i in range(k):
            for j in range(i + 1, k):
                r[i, j] = rng.uniform(0.02, 0.98)
                r[j, i] = 1 - r[i, j]
        q = -r.T * r
        np.fill_diagonal(q, (r.T**2).sum(axis=1) - np.diag(r) ** 2)
        system = np.block([[q, np.ones((k, 1))], [np.ones((1, k)), np.zeros((1, 1))]])
        p = np.linalg.solve(system, np.append(np.zeros(k), 1))[:k]
        couplings.append({"k": k, "r": r.ravel().tolist(), "p": p.tolist()})
    return {"f": f.tolist(), "high": high.tolist(), "weights": w.tolist(), "sigmoids": sigmoids, "couplings": couplings}


def letter():
    """The first 1500 letters, standardised by these, and the last 4000."""
    path = glob.glob(os.path.join(FOLDER, "**", "letter-recognition.data"), recursive=True)[0]
    lines = [line.split(",") for line in open(path)]
    y = np.array([ord(line[0]) - ord("A") for line in lines])
    boxes = np.array([[float(v) for v in line[1:]] for line in lines])
    train, test = boxes[:1500], boxes[16000:]
    mean, sd = train.mean(axis=0), train.std(axis=0)
    train, test = (train - mean) / sd, (test - mean) / sd
    model = SVC(C=10, gamma=0.05, tol=1e-6, decision_function_shape="ovo").fit(train, y[:1500])
    K = rbf_kernel(train, gamma=0.05)
    betas = pair_coefficients(model, 1500)
    return {
        "rows": 1500,
        "C": 10,
        "gamma": 0.05,
        "right": int((model.predict(test) == y[16000:]).sum()),
        "objective": float(sum(0.5 * b @ K @ b - np.abs(b).sum() for b in betas)),
    }


def iris():
    """Log losses of libsvm's probabilities, whose folds are drawn by a seed."""
    data, y = load_iris(return_X_y=True)
    models = [SVC(probability=True, random_state=seed).fit(data, y) for seed in range(20)]
    losses = [log_loss(y, m.predict_proba(data)) for m in models]
    right = min(int((m.predict_proba(data).argmax(axis=1) == y).sum()) for m in models)
    return {"least": min(losses), "greatest": max(losses), "right": right}


out = {
    "made_by": "scripts/oracles/svm.py",
    "versions": {"python": platform.python_version(), "scikit-learn": sklearn.__version__, "numpy": np.__version__, "scipy": scipy.__version__},
    "X": X.tolist(),
    "queries": queries.tolist(),
    "binary": binary.tolist(),
    "classes": classes.tolist(),
    "targets": targets.tolist(),
    "weights": weights.tolist(),
    "classifiers": [
        classifier("linear", binary, kernel="linear"),
        classifier("linear, small C", binary, kernel="linear", C=0.01),
        classifier("linear, large C", binary, kernel="linear", C=100),
        classifier("radial", binary),
        classifier("radial, C and gamma", binary, C=20, gamma=0.7),
        classifier("cubic", binary, kernel="poly", coef0=1.0),
        classifier("quadratic", binary, kernel="poly", degree=2, gamma=0.3, coef0=0.5, C=3),
        classifier("weighted rows", binary, weighted=True, C=2, gamma=0.5),
        classifier("weighted classes", binary, class_weight={0: 0.5, 1: 3}, gamma=0.5),
        classifier("balanced", binary, class_weight="balanced", kernel="linear", C=0.1),
        classifier("four classes", classes),
        classifier("four classes, linear", classes, kernel="linear", C=2),
        classifier("four classes, weighted", classes, weighted=True, class_weight={0: 1, 1: 2, 2: 0.5, 3: 1}, C=5, gamma=0.4),
    ],
    "regressors": [
        regressor("radial", epsilon=0.1),
        regressor("radial, C and gamma", epsilon=0.2, C=10, gamma=0.3),
        regressor("linear", epsilon=0.1, kernel="linear"),
        regressor("cubic", epsilon=0.15, kernel="poly", coef0=1.0, C=0.5),
        regressor("no tube", epsilon=0.0, gamma=0.5),
        regressor("weighted", weighted=True, epsilon=0.1, C=2, gamma=0.5),
    ],
    "linear_classifiers": [
        linear_classifier("hinge", binary, loss="hinge"),
        linear_classifier("squared hinge", binary, loss="squared_hinge"),
        linear_classifier("small C", binary, loss="hinge", C=0.01),
        linear_classifier("larger bias scale", binary, loss="squared_hinge", C=5, intercept_scaling=4.0),
        linear_classifier("no intercept", binary, loss="squared_hinge", fit_intercept=False),
        linear_classifier("weighted rows", binary, weighted=True, loss="hinge", C=0.5),
        linear_classifier("weighted classes", binary, loss="squared_hinge", class_weight={0: 0.5, 1: 3}),
        linear_classifier("four classes", classes, loss="squared_hinge"),
    ],
    "linear_regressors": [
        linear_regressor("absolute", loss="epsilon_insensitive", epsilon=0.1),
        linear_regressor("absolute, no tube", loss="epsilon_insensitive", epsilon=0.0, C=0.3),
        linear_regressor("squared", loss="squared_epsilon_insensitive", epsilon=0.2, C=2),
        linear_regressor("weighted", weighted=True, loss="squared_epsilon_insensitive", epsilon=0.1),
    ],
    "platt": platt(),
    "letter": letter(),
    "iris": iris(),
}

with open(OUT, "w") as file:
    json.dump(out, file)
    file.write("\n")
