"""Make the answers that mlcore/tree is tested against, with scikit-learn.

    python tree.py

writes mlcore/tree/testdata/peers.json. Data on which ten random states do not
give the same tree are passed over: scikit-learn breaks ties at random, and an
answer that hangs on that proves nothing.
"""

import json
import os
import platform
import warnings

import numpy as np
import sklearn
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "..", "..", "mlcore", "tree", "testdata", "peers.json")
STATES = 10


def data(seed, n, d, classes):
    """Random rows whose values float32 holds exactly, as scikit-learn wants."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-4096, 4096, size=(n, d)) / 1024
    s = X[:, 0] + X[:, 1] * X[:, 2] / 3 + rng.normal(size=n)
    y = np.digitize(s, np.quantile(s, np.arange(1, classes) / classes))
    target = np.round(s + X[:, 3 % d] ** 2 / 4, 6)
    return rng, X, y, target


def same(a, b):
    return (
        a.tree_.node_count == b.tree_.node_count
        and np.array_equal(a.tree_.feature, b.tree_.feature)
        and np.array_equal(a.tree_.threshold, b.tree_.threshold)
    )


def answer(name, make, X, y, w, Q, params, regression):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        models = [make(random_state=s, **params).fit(X, y, sample_weight=w) for s in range(STATES)]
    if not all(same(models[0], m) for m in models):
        return None
    m = models[0]
    t = m.tree_
    case = {
        "name": name,
        "params": params,
        "regression": regression,
        "X": [[None if np.isnan(v) else v for v in row] for row in X.tolist()],
        "y": y.tolist(),
        "w": None if w is None else w.tolist(),
        "queries": [[None if np.isnan(v) else v for v in row] for row in Q.tolist()],
        "depth": int(m.get_depth()),
        "leaves": int(m.get_n_leaves()),
        "importances": m.feature_importances_.tolist(),
        "answers": m.predict(Q).tolist() if regression else m.predict_proba(Q).tolist(),
    }
    if "max_leaf_nodes" not in params:  # then nodes are numbered depth first, as ours
        case["nodes"] = {
            "feature": np.maximum(t.feature, -1).tolist(),
            "threshold": [None if f < 0 else (v if np.isfinite(v) else "inf") for f, v in zip(t.feature, t.threshold.tolist())],
            "impurity": t.impurity.tolist(),
            "samples": t.n_node_samples.tolist(),
            "weight": t.weighted_n_node_samples.tolist(),
        }
        case["leaf"] = m.apply(Q).tolist()
    if not np.isnan(X).any():
        path = m.cost_complexity_pruning_path(X, y, sample_weight=w)
        alphas = path.ccp_alphas.tolist()
        # Halfway between two alphas no rounding decides what is pruned.
        cuts, leaves, answers = [], [], []
        for a, b in zip(alphas, alphas[1:]):
            if b - a > 1e-6:
                cuts.append((a + b) / 2)
        for alpha in cuts[-8:]:
            p = make(random_state=0, ccp_alpha=alpha, **params).fit(X, y, sample_weight=w)
            leaves.append(int(p.get_n_leaves()))
            answers.append(p.predict(Q).tolist())
        case["path"] = {
            "alphas": alphas,
            "impurities": path.impurities.tolist(),
            "cuts": cuts[-8:],
            "cut_leaves": leaves,
            "cut_answers": answers,
        }
    return case


def main():
    cases = []

    def add(name, make, regression, seed, w, missing, n, classes, params):
        for attempt in range(200):
            rng, X, labels, target = data(seed + 10000 * attempt, n, 4, classes)
            _, Q, _, _ = data(seed + 1000, 40, 4, classes)
            weights = None
            if w == "whole":
                weights = rng.integers(0, 4, size=n).astype(float)
            elif w == "real":
                weights = rng.integers(1, 4096, size=n) / 1024
            if missing:
                X[rng.random(X.shape) < 0.15] = np.nan
                Q[rng.random(Q.shape) < 0.15] = np.nan
            case = answer(name, make, X, target if regression else labels, weights, Q, params, regression)
            if case is not None:
                cases.append(case)
                return
        raise SystemExit(f"{name}: every answer depends on how ties are broken")

    def classify(name, seed, w=None, missing=False, n=160, classes=3, **params):
        add(name, DecisionTreeClassifier, False, seed, w, missing, n, classes, params)

    def regress(name, seed, w=None, missing=False, n=160, **params):
        add(name, DecisionTreeRegressor, True, seed, w, missing, n, 2, params)

    classify("gini", 1, max_depth=4, min_samples_leaf=5)
    classify("gini, two classes", 2, classes=2, max_depth=4, min_samples_leaf=5)
    classify("gini, six classes", 3, n=300, classes=6, min_samples_leaf=12)
    classify("entropy", 4, criterion="entropy", max_depth=4, min_samples_leaf=5)
    classify("entropy, real weights", 5, w="real", criterion="entropy", max_depth=4, min_samples_leaf=6)
    classify("whole weights", 6, w="whole", max_depth=4, min_samples_leaf=5)
    classify("real weights", 7, w="real", max_depth=5, min_samples_leaf=4)
    classify("min_samples_split", 8, min_samples_split=40, min_samples_leaf=4)
    classify("min_weight_fraction_leaf", 9, w="real", min_weight_fraction_leaf=0.06)
    classify("min_impurity_decrease", 10, min_impurity_decrease=0.012, min_samples_leaf=4)
    classify("max_leaf_nodes", 11, max_leaf_nodes=9)
    classify("max_leaf_nodes, real weights", 12, w="real", max_leaf_nodes=11, min_samples_leaf=3)
    classify("class_weight", 13, class_weight={0: 1, 1: 2.5, 2: 0.5}, max_depth=4, min_samples_leaf=5)
    classify("missing values", 14, missing=True, max_depth=4, min_samples_leaf=6)
    classify("missing values, entropy, weights", 15, missing=True, w="real", criterion="entropy", max_depth=4, min_samples_leaf=6)
    regress("squared error", 21, max_depth=4)
    regress("squared error, whole weights", 22, w="whole", max_depth=4, min_samples_leaf=3)
    regress("squared error, real weights", 23, w="real", min_samples_leaf=6)
    regress("squared error, max_leaf_nodes", 24, max_leaf_nodes=10)
    regress("squared error, missing values", 25, missing=True, max_depth=4, min_samples_leaf=5)
    regress("absolute error", 26, criterion="absolute_error", max_depth=3, min_samples_leaf=6)
    regress("absolute error, whole weights", 27, w="whole", criterion="absolute_error", max_depth=3, min_samples_leaf=7)
    regress("absolute error, real weights", 28, w="real", criterion="absolute_error", max_depth=3, min_samples_leaf=6)
    # Without min_samples_leaf two features may part off the same row: a tie that
    # rounding breaks alike for every random state.
    regress("regression, min_impurity_decrease", 29, min_impurity_decrease=0.03, min_samples_leaf=5)

    made_by = {"script": "scripts/oracles/tree.py", "python": platform.python_version(), "numpy": np.__version__, "scikit-learn": sklearn.__version__}
    with open(OUT, "w", encoding="utf-8") as f:
        json.dump({"made_by": made_by, "cases": cases}, f, indent=None, separators=(",", ":"))
        f.write("\n")


if __name__ == "__main__":
    main()
