"""Make the answers that gradient boosting in mlcore/ensemble is tested against.

    python ensemble_boosting.py [FOLDER]

writes mlcore/ensemble/testdata/peers_boosting.json. Made-up data without ties, with
what scikit-learn's GradientBoosting and HistGradientBoosting, LightGBM and
XGBoost make of them, are stored in full. For the course's data files in FOLDER (by default
datasets/files) only scores of LightGBM and XGBoost are stored.
"""

import csv
import json
import os
import platform
import sys

import lightgbm
import numpy as np
import sklearn
import xgboost
from sklearn.ensemble import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
OUT = os.path.join(ROOT, "mlcore", "ensemble", "testdata", "peers_boosting.json")
STATES = 6
THREADS = 2


def made_up(seed, n, classes=0):
    """Columns without ties that are exact in few digits; classes, or a target."""
    rng = np.random.default_rng(seed)
    X = np.stack([rng.permutation(4096)[:n] / 256 - 8 for _ in range(4)], axis=1)
    s = np.sin(X[:, 0]) + X[:, 1] * X[:, 2] / 16 + rng.normal(size=n) / 2
    if classes:
        y = np.digitize(s, np.quantile(s, np.arange(1, classes) / classes))
    else:
        y = np.round(4 * s + rng.standard_t(2, size=n), 3)
    return X, y


def exact(name, seed, classes=0, weighted=False, **settings):
    make = GradientBoostingClassifier if classes else GradientBoostingRegressor
    for attempt in range(200):
        X, y = made_up(seed + 10000 * attempt, 151, classes)
        Q, _ = made_up(seed + 1000, 25)
        w = np.random.default_rng(seed).integers(1, 64, size=len(y)) / 16 if weighted else None
        models = [make(random_state=s, **settings).fit(X, y, sample_weight=w) for s in range(STATES)]
        answers = [m.predict_proba(Q) if classes else m.predict(Q) for m in models]
        if all(np.allclose(a, answers[0], rtol=0, atol=1e-11) for a in answers):
            break
    else:
        raise SystemExit(f"{name}: every answer depends on how ties are broken")
    m = models[0]
    staged = list(m.staged_decision_function(Q) if classes else m.staged_predict(Q))
    return {
        "name": name,
        "classes": classes,
        "settings": settings,
        "X": X.tolist(),
        "y": y.tolist(),
        "w": None if w is None else w.tolist(),
        "queries": Q.tolist(),
        "first": np.atleast_2d(np.asarray(staged[0]).T).T.tolist(),
        "last": np.atleast_2d(np.asarray(staged[-1]).T).T.tolist(),
        "losses": m.train_score_.tolist(),
        "importances": m.feature_importances_.tolist(),
    }


def holes(A):
    return [[None if np.isnan(v) else v for v in row] for row in A.tolist()]


def hist(name, seed, classes=0, weighted=False, missing=False, **settings):
    make = HistGradientBoostingClassifier if classes else HistGradientBoostingRegressor
    X, y = made_up(seed, 241, classes)
    Q, _ = made_up(seed + 1000, 25)
    if missing:
        rng = np.random.default_rng(seed + 5)
        X[rng.random(X.shape) < 0.2] = np.nan
        # Where a node saw no missing value, its default direction is a matter of
        # taste, so only rows that trained the model are asked about.
        Q = X[:50]
    w = np.random.default_rng(seed).integers(1, 64, size=len(y)) / 16 if weighted else None
    # Without weights the median is that of numpy, with them the lower one.
    if settings.get("loss") == "absolute_error":
        w = np.ones(len(y))
    m = make(early_stopping=False, random_state=0, **settings).fit(X, y, sample_weight=w)
    last = m.decision_function(Q) if classes else m.predict(Q)

    return {
        "name": name,
        "classes": classes,
        "settings": settings,
        "X": holes(X),
        "y": y.tolist(),
        "w": None if w is None else w.tolist(),
        "queries": holes(Q),
        "last": np.atleast_2d(np.asarray(last).T).T.tolist(),
    }


def light(name, seed, classes=0, missing=False, rounds=15, levels=(0, 0, 0, 0), **settings):
    X, y = made_up(seed, 241, classes)
    for j, k in enumerate(levels):
        if k:
            code = np.random.default_rng(seed + 7 + j).permutation(241) % k
            X[:, j] = code
            y = y + (3 * code * code % 7 if not classes else 0)
    if missing:
        rng = np.random.default_rng(seed + 5)
        X[rng.random(X.shape) < 0.2] = np.nan
    # Of the thresholds between two of a node's values LightGBM takes the highest,
    # mlcore the lowest; rows that trained the model do not tell them apart.
    Q = X[:50]
    # Every value has a bin of its own; leaves of at least 20 rows are those of
    # the default.
    fixed = {"verbosity": -1, "min_data_in_bin": 1, "num_threads": 1, "deterministic": True, "force_row_wise": True, "objective": "binary" if classes else "regression"}
    # Of a pair of sets of categories every cut is judged, as in mlcore.
    fixed |= {"min_data_per_group": 1}
    m = lightgbm.train(fixed | settings, lightgbm.Dataset(X, y, categorical_feature=[j for j, k in enumerate(levels) if k]), rounds)
    return {
        "name": name,
        "classes": classes,
        "levels": list(levels),
        "settings": settings | {"max_iter": rounds},
        "X": holes(X),
        "y": y.tolist(),
        "queries": holes(Q),
        "last": [[v] for v in m.predict(Q, raw_score=True).tolist()],
    }


def extreme(name, seed, classes=0, rounds=12, **settings):
    X, y = made_up(seed, 241, classes)
    Q = X[:50]
    settings = {"grow_policy": "lossguide", "max_leaves": 31, "max_depth": 0, "min_child_weight": 20.0, "reg_lambda": 0.0} | settings
    fixed = {"tree_method": "hist", "max_bin": 256, "eta": 0.1, "nthread": 1, "objective": "binary:logistic" if classes else "reg:squarederror"}
    p = y.mean()
    model = xgboost.train(fixed | settings | {"base_score": p}, xgboost.DMatrix(X, y), rounds)
    last = model.predict(xgboost.DMatrix(Q), output_margin=True).astype(float)
    return {"name": name, "classes": classes, "settings": settings | {"max_iter": rounds}, "X": holes(X), "y": y.tolist(), "queries": holes(Q), "last": [[v] for v in last.tolist()]}


def read(folder, name):
    """A headed table: numbers as they are, text by rank among a column's values."""
    with open(os.path.join(folder, name), newline="", encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    return {k: [row[k] for row in rows] for k in rows[0]}


def income(folder):
    parts = [read(folder, f"{p}-income_data_nominal_nomissing.csv") for p in ("train", "test")]
    columns, levels = [], []
    for key in parts[0]:
        rank = {v: k for k, v in enumerate(sorted(set(parts[0][key] + parts[1][key])))}
        columns.append([np.array([rank[v] for v in p[key]], dtype=float) for p in parts])
        levels.append(len(rank))
    X, T = (np.stack([c[p] for c in columns[:-1]], axis=1) for p in (0, 1))
    return X, columns[-1][0].astype(int), T, columns[-1][1].astype(int), list(range(X.shape[1]))


def letter(folder):
    with open(os.path.join(folder, "letter-recognition.data"), encoding="utf-8") as f:
        rows = [line.strip().split(",") for line in f if line.strip()]
    y = np.array([ord(r[0]) - ord("A") for r in rows])
    X = np.array([[float(v) for v in r[1:]] for r in rows])
    return X[:16000], y[:16000], X[16000:], y[16000:], []


def hitters(folder):
    table = read(folder, "Hitters.csv")
    keep = [i for i, v in enumerate(table["Salary"]) if v not in ("", "NA")]
    y = np.array([float(table["Salary"][i]) for i in keep])
    columns = []
    for key, values in table.items():
        if key == "Salary":
            continue
        values = [values[i] for i in keep]
        try:
            columns.append([float(v) for v in values])
        except ValueError:
            rank = {v: k for k, v in enumerate(sorted(set(values)))}
            columns.append([float(rank[v]) for v in values])
    return np.array(columns).T, y


def train_lightgbm(X, y, objective, classes, rounds, categorical, **more):
    settings = {"objective": objective, "num_leaves": 31, "learning_rate": 0.1, "max_bin": 255, "num_threads": THREADS, "verbosity": -1, "deterministic": True, "force_row_wise": True, **more}
    if classes > 2:
        settings["num_class"] = classes
    data = lightgbm.Dataset(X, y, categorical_feature=categorical)
    return lightgbm.train(settings, data, rounds).predict


def train_xgboost(X, y, objective, classes, rounds, categorical, **more):
    settings = {"objective": objective, "tree_method": "hist", "grow_policy": "lossguide", "max_leaves": 31, "max_depth": 0, "eta": 0.1, "max_bin": 256, "nthread": THREADS, "verbosity": 0, **more}
    if classes > 2:
        settings["num_class"] = classes
    types = ["c" if j in categorical else "q" for j in range(X.shape[1])]

    def matrix(A, label=None):
        return xgboost.DMatrix(A, label, feature_types=types, enable_categorical=True)

    model = xgboost.train(settings, matrix(X, y), rounds)
    return lambda T: model.predict(matrix(T))


def accuracy(predict, T, t):
    p = predict(T)
    guess = p.argmax(axis=1) if p.ndim == 2 else p > 0.5
    return float((guess == t).mean())


def rmse(train, X, y, *args, **more):
    """By five folds: row i is in fold i mod 5."""
    fold = np.arange(len(y)) % 5
    total = 0.0
    for k in range(5):
        predict = train(X[fold != k], y[fold != k], *args, **more)
        total += ((predict(X[fold == k]) - y[fold == k]) ** 2).sum()
    return float(np.sqrt(total / len(y)))


def scores(folder):
    out = []
    for name, data, classes, rounds in (("income", income(folder), 2, 100), ("letter", letter(folder), 26, 25)):
        X, y, T, t, categorical = data
        light, extreme = ("binary", "binary:logistic") if classes == 2 else ("multiclass", "multi:softprob")
        out.append(
            {
                "set": name,
                "rounds": rounds,
                "lightgbm": accuracy(train_lightgbm(X, y, light, classes, rounds, categorical), T, t),
                "xgboost": accuracy(train_xgboost(X, y, extreme, classes, rounds, categorical), T, t),
            }
        )
    X, y = hitters(folder)
    out.append(
        {
            "set": "hitters",
            "rounds": 100,
            "lightgbm": rmse(train_lightgbm, X, y, "regression", 0, 100, [], min_data_in_bin=1),
            "xgboost": rmse(train_xgboost, X, y, "reg:squarederror", 0, 100, [], min_child_weight=20, reg_lambda=0),
        }
    )
    return out


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "datasets", "files")
    answers = {
        "made_by": {
            "script": "scripts/oracles/ensemble_boosting.py",
            "python": platform.python_version(),
            "numpy": np.__version__,
            "scikit-learn": sklearn.__version__,
            "lightgbm": lightgbm.__version__,
            "xgboost": xgboost.__version__,
        },
        "exact": [
            exact("squared", 1, n_estimators=20, max_depth=3, min_samples_leaf=5),
            exact("squared, weights", 2, weighted=True, n_estimators=12, max_depth=2, min_samples_leaf=4),
            exact("absolute", 3, loss="absolute_error", n_estimators=10, max_depth=2, min_samples_leaf=9),
            exact("Huber", 4, loss="huber", alpha=0.8, n_estimators=12, max_depth=2, min_samples_leaf=5),
            exact("Huber, weights", 5, weighted=True, loss="huber", alpha=0.9, n_estimators=10, max_depth=2, min_samples_leaf=5),
            exact("two classes", 6, classes=2, n_estimators=15, max_depth=3, min_samples_leaf=6),
            exact("two classes, weights", 7, classes=2, weighted=True, n_estimators=12, learning_rate=0.3, max_depth=2, min_samples_leaf=5),
            exact("three classes", 8, classes=3, n_estimators=8, max_depth=2, min_samples_leaf=6),
            exact("four classes, weights", 9, classes=4, weighted=True, n_estimators=6, learning_rate=0.2, max_depth=2, min_samples_leaf=6),
        ],
        "hist": [
            hist("squared", 21, max_iter=20),
            hist("squared, missing", 22, missing=True, max_iter=20),
            hist("squared, penalty", 23, max_iter=15, l2_regularization=3.0, max_leaf_nodes=6, min_samples_leaf=8),
            hist("absolute", 24, loss="absolute_error", max_iter=8, max_leaf_nodes=5),
            hist("two classes", 25, classes=2, max_iter=20),
            hist("two classes, missing", 26, classes=2, missing=True, max_iter=15, max_leaf_nodes=8, min_samples_leaf=10),
            hist("two classes, weights", 27, classes=2, weighted=True, max_iter=12, max_leaf_nodes=8, min_samples_leaf=10),
            hist("three classes", 28, classes=3, max_iter=10, max_leaf_nodes=8),
        ],
        "light": [
            light("squared", 31),
            light("squared, missing", 32, missing=True),
            light("squared, penalties", 33, lambda_l1=4.0, lambda_l2=2.0),
            light("squared, least gain", 34, min_gain_to_split=8.0),
            light("squared, few leaves", 35, num_leaves=4, rounds=40),
            light("squared, depth", 36, max_depth=2),
            light("two classes, missing", 39, classes=2, missing=True),
            # Stumps, for in deeper nodes categories become rare, which the two
            # treat differently.
            light("categories", 40, levels=(3, 12, 0, 7), num_leaves=2, rounds=40),
            light("categories, penalties", 41, levels=(15, 3, 6, 0), num_leaves=2, rounds=40, lambda_l1=4.0, lambda_l2=2.0),
            light("categories, two classes", 42, classes=2, levels=(9, 3, 0, 10), num_leaves=2, rounds=40),
        ],
        "extreme": [
            extreme("squared", 51),
            extreme("monotone", 52, monotone_constraints=(1, -1, 0, 1)),
            extreme("monotone, penalty", 53, monotone_constraints=(-1, 1, 1, 0), reg_lambda=4.0),
            extreme("depth-wise", 54, grow_policy="depthwise", max_depth=3, max_leaves=0),
            extreme("two classes", 55, classes=2, min_child_weight=2.0, reg_lambda=1.0),
        ],
        "scores": scores(folder),
    }
    with open(OUT, "w", encoding="utf-8") as f:
        json.dump(answers, f, separators=(",", ":"))
        f.write("\n")
    print(json.dumps(answers["scores"], indent=1))


if __name__ == "__main__":
    main()
