"""Make the answers that mlcore/ensemble is tested against, with scikit-learn.

    python ensemble.py [FOLDER]

writes mlcore/ensemble/testdata/peers.json. AdaBoost on made-up data without
ties is stored in full. Forests draw at random, so for them only scores are
stored, over twenty random states, on the course's data files in FOLDER (by
default datasets/files).
"""

import json
import os
import platform
import sys

import numpy as np
import sklearn
from sklearn.ensemble import AdaBoostClassifier, ExtraTreesClassifier, ExtraTreesRegressor, RandomForestClassifier, RandomForestRegressor
from sklearn.tree import DecisionTreeClassifier

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
OUT = os.path.join(ROOT, "mlcore", "ensemble", "testdata", "peers.json")
STATES = 20


def made_up(seed, n, classes):
    rng = np.random.default_rng(seed)
    X = rng.integers(-4096, 4096, size=(n, 4)) / 1024
    s = X[:, 0] + X[:, 1] * X[:, 2] / 3 + rng.normal(size=n)
    y = np.digitize(s, np.quantile(s, np.arange(1, classes) / classes))
    return rng, X, y


def adaboost(name, seed, classes, rounds, depth=1, min_leaf=1, weighted=False, learning_rate=1.0):
    for attempt in range(200):
        rng, X, y = made_up(seed + 10000 * attempt, 160, classes)
        _, Q, _ = made_up(seed + 1000, 40, classes)
        w = rng.integers(1, 4096, size=len(y)) / 1024 if weighted else None
        models = [
            AdaBoostClassifier(
                DecisionTreeClassifier(max_depth=depth, min_samples_leaf=min_leaf), n_estimators=rounds, learning_rate=learning_rate, random_state=s
            ).fit(X, y, sample_weight=w)
            for s in range(STATES)
        ]
        if all(np.array_equal(m.estimator_errors_, models[0].estimator_errors_) for m in models):
            break
    else:
        raise SystemExit(f"{name}: every answer depends on how ties are broken")
    m = models[0]
    return {
        "name": name,
        "classes": classes,
        "rounds": rounds,
        "depth": depth,
        "min_leaf": min_leaf,
        "learning_rate": learning_rate,
        "X": X.tolist(),
        "y": y.tolist(),
        "w": None if w is None else w.tolist(),
        "queries": Q.tolist(),
        "alphas": m.estimator_weights_[: len(m.estimators_)].tolist(),
        "errors": m.estimator_errors_[: len(m.estimators_)].tolist(),
        "predictions": m.predict(Q).tolist(),
        "probabilities": m.predict_proba(Q).tolist(),
        "staged": [p.tolist() for p in m.staged_predict(Q)],
    }


def table(folder, name, label, drop=()):
    """Codes: numbers as they are, text by rank among the column's values."""
    with open(os.path.join(folder, name), newline="", encoding="utf-8") as f:
        text = f.read()
    # Ecoli is set in columns, with spaces.
    rows = [line.split(",") if "," in line else line.split() for line in text.splitlines() if line.strip()]
    label %= len(rows[0])
    columns = [j for j in range(len(rows[0])) if j != label and j not in drop]

    def column(j):
        values = [row[j] for row in rows]
        try:
            return [float(v) for v in values]
        except ValueError:
            rank = {v: float(k) for k, v in enumerate(sorted(set(values)))}
            return [rank[v] for v in values]

    X = np.array([column(j) for j in columns]).T
    y = np.array(column(label), dtype=int)
    return X, y


def scores(folder, name, label, drop, models):
    X, y = table(folder, name, label, drop)
    test = np.arange(len(y)) % 5 == 4
    out = {"file": name, "label": label % (X.shape[1] + len(drop) + 1), "drop": list(drop), "rows": len(y), "models": {}}
    for key, make in models.items():
        states = STATES if len(y) < 10000 else 4
        s = [make(k).fit(X[~test], y[~test]).score(X[test], y[test]) for k in range(states)]
        out["models"][key] = {"mean": float(np.mean(s)), "min": float(min(s)), "max": float(max(s))}
    return out


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "datasets", "files")
    models = {
        "tree": lambda s: DecisionTreeClassifier(random_state=s),
        "entropy tree": lambda s: DecisionTreeClassifier(criterion="entropy", random_state=s),
        "forest": lambda s: RandomForestClassifier(random_state=s, n_jobs=2),
        "extratrees": lambda s: ExtraTreesClassifier(random_state=s, n_jobs=2),
        "adaboost": lambda s: AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), random_state=s),
    }
    boosts = [
        adaboost("two classes", 1, 2, 20),
        adaboost("two classes, weights", 2, 2, 12, weighted=True),
        adaboost("three classes", 3, 3, 15),
        adaboost("three classes, depth 2", 4, 3, 8, depth=2, min_leaf=8),
        adaboost("five classes, learning rate", 5, 5, 15, learning_rate=0.5),
    ]
    _, X, y = made_up(77, 600, 3)
    _, Q, yq = made_up(78, 600, 3)
    r = X[:, 0] + X[:, 1] * X[:, 2] / 3
    rq = Q[:, 0] + Q[:, 1] * Q[:, 2] / 3
    rf = [RandomForestClassifier(100, oob_score=True, random_state=s, n_jobs=2).fit(X, y) for s in range(8)]
    rr = [RandomForestRegressor(100, oob_score=True, random_state=s, n_jobs=2).fit(X, r) for s in range(8)]
    er = [ExtraTreesRegressor(100, random_state=s, n_jobs=2).fit(X, r) for s in range(8)]

    def spread(v):
        return {"mean": float(np.mean(v)), "min": float(min(v)), "max": float(max(v))}

    forest = {
        "X": X.tolist(),
        "y": y.tolist(),
        "target": r.tolist(),
        "queries": Q.tolist(),
        "query_y": yq.tolist(),
        "query_target": rq.tolist(),
        "accuracy": spread([m.score(Q, yq) for m in rf]),
        "oob": spread([m.oob_score_ for m in rf]),
        "importances": np.mean([m.feature_importances_ for m in rf], axis=0).tolist(),
        "r2": spread([m.score(Q, rq) for m in rr]),
        "oob_r2": spread([m.oob_score_ for m in rr]),
        "extratrees_r2": spread([m.score(Q, rq) for m in er]),
    }
    files = [
        scores(folder, "iris.data", -1, (), models),
        scores(folder, "car.data", -1, (), models),
        scores(folder, "breast-cancer-wisconsin.data", -1, (0,), models),
        scores(folder, "ecoli.data", -1, (0,), models),
        scores(folder, "agaricus-lepiota.data", 0, (11,), models),
        scores(folder, "letter-recognition.data", 0, (), models),
    ]
    made_by = {"script": "scripts/oracles/ensemble.py", "python": platform.python_version(), "numpy": np.__version__, "scikit-learn": sklearn.__version__}
    with open(OUT, "w", encoding="utf-8") as f:
        json.dump({"made_by": made_by, "adaboost": boosts, "forest": forest, "files": files}, f, separators=(",", ":"))
        f.write("\n")


if __name__ == "__main__":
    main()
