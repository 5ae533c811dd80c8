"""Make the answers that mlcore/modelsel is tested against, with scikit-learn.

    python modelsel.py

writes mlcore/modelsel/testdata/peers.json: made-up data, scikit-learn's
folds, and what it scores, searches and draws curves of with learners that do not
depend on chance. The rotating validation fold of the CO395 notes, which
scikit-learn lacks, is looped over here with its learners and folds.
"""

import json
import os
import platform

import numpy as np
import sklearn
from sklearn import metrics, model_selection as ms
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "..", "..", "mlcore", "modelsel", "testdata", "peers.json")

NEIGHBOURS = [1, 3, 5, 9, 15, 25]
SHARES = [0.2, 0.45, 0.7, 1.0]


def made_up(rng):
    y = rng.permutation(np.repeat([0, 1, 2], [50, 40, 27]))
    centres = np.array([[0, 0, 0], [1.2, 1, 0], [-1, 1.5, 0.5]])
    X = np.round(centres[y] + rng.normal(size=(len(y), 3)), 4)
    target = np.round(X[:, 0] * 2 + np.sin(2 * X[:, 1]) + 0.3 * rng.normal(size=len(y)), 4)
    w = np.round(rng.uniform(0.5, 2, size=len(y)), 2)
    return X, y, target, w


def tests_of(splitter, n, y=None, groups=None):
    return [test.tolist() for _, test in splitter.split(np.zeros((n, 1)), y, groups)]


def folds(rng):
    out = []
    for n, k in ((10, 2), (10, 3), (23, 5), (7, 7), (100, 10)):
        out.append({"kind": "KFold", "n": n, "k": k, "tests": tests_of(ms.KFold(k), n)})
    out.append({"kind": "LeaveOneOut", "n": 6, "tests": tests_of(ms.LeaveOneOut(), 6)})
    for counts, k in (([10, 10, 10], 5), ([50, 33, 7], 4), ([6, 5], 5), ([21, 3, 14, 9], 3), ([30, 2, 1, 17], 5)):
        y = rng.permutation(np.repeat(np.arange(len(counts)), counts))
        rare = min(counts) < k
        out.append({"kind": "StratifiedKFold", "n": len(y), "k": k, "labels": y.tolist(), "rare": rare, "tests": tests_of(ms.StratifiedKFold(k), len(y), y)})
    # Group sizes that differ: scikit-learn leaves the order of equal ones open.
    for sizes, k in (([9, 4, 7, 1, 3, 12], 3), ([1, 2, 3, 4, 5, 6, 7, 8], 4), ([20, 3, 2], 2)):
        groups = rng.permutation(np.repeat(np.arange(len(sizes)) * 3 - 4, sizes))
        out.append({"kind": "GroupKFold", "n": len(groups), "k": k, "groups": groups.tolist(), "tests": tests_of(ms.GroupKFold(k), len(groups), groups=groups)})
    return out


def part_sizes():
    """Sizes of the parts, and of each class in them where quotas leave no tie."""
    out = []
    for counts, test, train in (([50, 40, 27], 0.2, None), ([50, 40, 27], 0.25, 0.5), ([61, 30, 12], 0.33, None), ([200, 31], 0.1, 0.35)):
        y = np.repeat(np.arange(len(counts)), counts)
        a, b = next(ms.StratifiedShuffleSplit(1, test_size=test, train_size=train, random_state=0).split(y, y))
        out.append({"counts": counts, "test": test, "train": train or 0, "train_counts": np.bincount(y[a]).tolist(), "test_counts": np.bincount(y[b]).tolist()})
    return out


def cross_validation(X, y, target, w):
    out = {}
    for name, scoring in (("accuracy", "accuracy"), ("balanced accuracy", "balanced_accuracy"), ("macro F1", "f1_macro"), ("log loss", "neg_log_loss"), ("one-vs-rest ROC AUC", "roc_auc_ovr")):
        r = ms.cross_validate(GaussianNB(), X, y, cv=ms.StratifiedKFold(5), scoring=scoring, return_train_score=True)
        sign = -1 if scoring.startswith("neg") else 1
        out[name] = {"test": (sign * r["test_score"]).tolist(), "train": (sign * r["train_score"]).tolist()}
    for name, scoring in (("R²", "r2"), ("MSE", "neg_mean_squared_error"), ("RMSE", "neg_root_mean_squared_error"), ("MAE", "neg_mean_absolute_error")):
        r = ms.cross_validate(KNeighborsRegressor(5), X, target, cv=ms.KFold(5), scoring=scoring, return_train_score=True)
        sign = -1 if scoring.startswith("neg") else 1
        out[name] = {"test": (sign * r["test_score"]).tolist(), "train": (sign * r["train_score"]).tolist()}
    two = (y > 0).astype(int)
    r = ms.cross_validate(GaussianNB(), X, two, cv=ms.StratifiedKFold(5), scoring="roc_auc", return_train_score=True)
    out["ROC AUC"] = {"test": r["test_score"].tolist(), "train": r["train_score"].tolist()}
    weighted = {"test": [], "train": []}
    for a, b in ms.StratifiedKFold(5).split(X, y):
        m = GaussianNB().fit(X[a], y[a], w[a])
        for part, rows in (("test", b), ("train", a)):
            weighted[part].append(metrics.accuracy_score(y[rows], m.predict(X[rows]), sample_weight=w[rows]))
    out["weighted accuracy"] = weighted
    return out


def repeated(X, y):
    """Shuffled folds of scikit-learn's own, handed over as they are."""
    cv = ms.RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=11)
    return {"tests": tests_of(cv, len(y), y), "scores": ms.cross_val_score(KNeighborsClassifier(3), X, y, cv=cv).tolist()}


def predictions(X, y):
    cv = ms.StratifiedKFold(4)
    return {
        "classes": ms.cross_val_predict(GaussianNB(), X, y, cv=cv).tolist(),
        "proba": ms.cross_val_predict(GaussianNB(), X, y, cv=cv, method="predict_proba").tolist(),
    }


def table(search):
    r = search.cv_results_
    splits = [r[f"split{i}_test_score"].tolist() for i in range(search.n_splits_)]
    return {"params": [list(map(str, p.values())) for p in r["params"]], "folds": np.transpose(splits).tolist(), "mean": r["mean_test_score"].tolist(), "std": r["std_test_score"].tolist(), "rank": r["rank_test_score"].tolist(), "best": int(search.best_index_)}


def searches(X, y, target):
    # scikit-learn's grid varies its names in alphabetical order, the last fastest.
    both = {"n_neighbors": NEIGHBOURS, "weights": ["uniform", "distance"]}
    classes = ms.GridSearchCV(KNeighborsClassifier(), both, cv=ms.StratifiedKFold(5)).fit(X, y)
    losses = ms.GridSearchCV(KNeighborsRegressor(), {"n_neighbors": NEIGHBOURS}, cv=ms.KFold(4), scoring="neg_mean_squared_error").fit(X, target)
    return {"accuracy": {**table(classes), "refit": classes.predict(X + 0.3).tolist()}, "MSE": table(losses)}


def nested(X, y):
    grid = {"n_neighbors": NEIGHBOURS}
    outer = ms.StratifiedKFold(5)
    r = ms.cross_validate(ms.GridSearchCV(KNeighborsClassifier(), grid, cv=ms.StratifiedKFold(3)), X, y, cv=outer, return_estimator=True)
    inner = {"scores": r["test_score"].tolist(), "best": [int(e.best_index_) for e in r["estimator"]]}
    tests = [t for _, t in outer.split(X, y)]
    rotating = {"best": [], "validation": [], "scores": [], "scores_with_validation": []}
    for i, test in enumerate(tests):
        validation = tests[(i + 1) % 5]
        train = np.setdiff1d(np.arange(len(y)), np.concatenate([test, validation]))
        score = [KNeighborsClassifier(k).fit(X[train], y[train]).score(X[validation], y[validation]) for k in NEIGHBOURS]
        best = int(np.argmax(score))
        both = np.sort(np.concatenate([train, validation]))
        rotating["best"].append(best)
        rotating["validation"].append(score)
        for key, rows in (("scores", train), ("scores_with_validation", both)):
            rotating[key].append(KNeighborsClassifier(NEIGHBOURS[best]).fit(X[rows], y[rows]).score(X[test], y[test]))
    return {"inner": inner, "rotating": rotating}


def curves(X, y):
    sizes, train, test = ms.learning_curve(GaussianNB(), X, y, cv=ms.StratifiedKFold(5), train_sizes=SHARES)
    vtrain, vtest = ms.validation_curve(KNeighborsClassifier(), X, y, param_name="n_neighbors", param_range=NEIGHBOURS, cv=ms.StratifiedKFold(5))
    return {
        "learning": {"x": sizes.tolist(), "train": train.tolist(), "test": test.tolist()},
        "validation": {"x": NEIGHBOURS, "train": vtrain.tolist(), "test": vtest.tolist()},
    }


def main():
    rng = np.random.default_rng(395)
    X, y, target, w = made_up(rng)
    out = {
        "versions": {"python": platform.python_version(), "numpy": np.__version__, "scikit-learn": sklearn.__version__},
        "X": X.tolist(), "labels": y.tolist(), "targets": target.tolist(), "weights": w.tolist(),
        "neighbours": NEIGHBOURS, "shares": SHARES,
        "folds": folds(rng), "parts": part_sizes(), "cross_validation": cross_validation(X, y, target, w), "repeated": repeated(X, y),
        "predictions": predictions(X, y), "searches": searches(X, y, target), "nested": nested(X, y), "curves": curves(X, y),
    }
    os.makedirs(os.path.dirname(OUT), exist_ok=True)
    with open(OUT, "w") as f:
        json.dump(out, f, separators=(",", ":"))
        f.write("\n")


if __name__ == "__main__":
    main()
