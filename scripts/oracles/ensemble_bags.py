"""Make the answers that AdaBoost's decision values and out-of-bag scores are tested against.

    python ensemble_bags.py

writes mlcore/ensemble/testdata/peers_bags.json. AdaBoost is deterministic on the made-up
data, which have no ties; bags draw at random, so that of them only the scores of twenty
random states are stored.
"""

import json
import os
import platform

import numpy as np
import sklearn
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, BaggingRegressor
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from ensemble import HERE, STATES, made_up

OUT = os.path.join(HERE, "..", "..", "mlcore", "ensemble", "testdata", "peers_bags.json")


def adaboost(name, seed, classes, rounds, depth):
    for attempt in range(20):
        _, X, y = made_up(seed + 10000 * attempt, 160, classes)
        _, Q, _ = made_up(seed + 1000, 12, classes)
        models = [AdaBoostClassifier(DecisionTreeClassifier(max_depth=depth, min_samples_leaf=8), n_estimators=rounds, random_state=s).fit(X, y) for s in range(STATES)]
        if all(np.allclose(m.feature_importances_, models[0].feature_importances_, rtol=1e-9) for m in models):
            break
    else:
        raise SystemExit(f"{name}: every answer depends on how ties are broken")
    m = models[0]
    return {
        "name": name,
        "classes": classes,
        "rounds": rounds,
        "depth": depth,
        "X": X.tolist(),
        "y": y.tolist(),
        "queries": Q.tolist(),
        "decisions": m.decision_function(Q).reshape(len(Q), -1).tolist(),
        "staged": [p.tolist() for p in m.staged_predict_proba(Q)],
        "importances": m.feature_importances_.tolist(),
    }


def spread(v):
    return {"mean": float(np.mean(v)), "min": float(min(v)), "max": float(max(v))}


def main():
    _, X, y = made_up(77, 400, 3)
    r = X[:, 0] + X[:, 1] * X[:, 2] / 3

    def oob(bag, target):
        return spread([bag(s).fit(X, target).oob_score_ for s in range(STATES)])

    bags = {
        "trees": oob(lambda s: BaggingClassifier(DecisionTreeClassifier(), 50, oob_score=True, random_state=s), y),
        "machines": oob(lambda s: BaggingClassifier(LinearSVC(), 50, oob_score=True, random_state=s), y),
        "two features": oob(lambda s: BaggingClassifier(DecisionTreeClassifier(), 50, max_features=2, oob_score=True, random_state=s), y),
        "regression trees": oob(lambda s: BaggingRegressor(DecisionTreeRegressor(), 50, oob_score=True, random_state=s), r),
    }
    answers = {
        "made_by": {"script": "scripts/oracles/ensemble_bags.py", "python": platform.python_version(), "numpy": np.__version__, "scikit-learn": sklearn.__version__},
        "adaboost": [adaboost("two classes", 11, 2, 12, 1), adaboost("three classes", 12, 3, 8, 2)],
        "X": X.tolist(),
        "y": y.tolist(),
        "target": r.tolist(),
        "bags": bags,
    }
    with open(OUT, "w", encoding="utf-8") as f:
        json.dump(answers, f, separators=(",", ":"))
        f.write("\n")


if __name__ == "__main__":
    main()
