"""Make the answers that target encoding in mlcore/preprocess is tested against, with scikit-learn.

    python preprocess_target.py

writes mlcore/preprocess/testdata/peers_target.json: made-up codes, null for a missing
value, and what they become. Folds are not shuffled, so that both sides have the same.
"""

import json
import os
import platform

import numpy as np
import sklearn
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.preprocessing import TargetEncoder

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "..", "..", "mlcore", "preprocess", "testdata", "peers_target.json")


def plain(X):
    return [[None if v != v else float(v) for v in row] for row in np.asarray(X, dtype=float)]


def main():
    rng = np.random.default_rng(20271)
    n, q = 70, 20
    codes = np.column_stack([rng.integers(0, 4, n + q), rng.integers(0, 4, n + q), np.minimum(3, rng.geometric(0.6, n + q) - 1)]).astype(float)
    codes[:n][codes[:n, 1] == 2, 1] = 3  # level 2 of column 1 is in no training row
    codes[rng.random(codes.shape) < 0.1] = np.nan
    codes[:n][np.isnan(codes[:n, 2]), 2] = 0  # column 2 has no gap in training rows
    codes[n, 2] = np.nan
    score = np.nan_to_num(codes[:, 0], nan=5) - codes[:, 2].clip(0, 2) + rng.normal(size=n + q)
    score = np.nan_to_num(score)
    targets = {
        "binary": (score > 1).astype(int)[:n],
        "multiclass": np.digitize(score, [0.0, 2.0])[:n],
        "continuous": np.round(score, 5)[:n],
        "far": np.round(1e9 + score, 5)[:n],
        "constant": np.full(n, 2.5),
    }
    cases = []
    for kind, y in targets.items():
        for smooth in ("auto", 0.0, 10.0):
            continuous = y.dtype == float
            cv = KFold(5) if continuous else StratifiedKFold(5)
            e = TargetEncoder(smooth=smooth, cv=cv, target_type="continuous" if continuous else "auto")
            cases.append({"target": kind, "smooth": None if smooth == "auto" else smooth, "train": plain(e.fit_transform(codes[:n], y)), "queries": plain(e.transform(codes[n:]))})
    out = {
        "made_by": {"script": "scripts/oracles/preprocess_target.py", "python": platform.python_version(), "numpy": np.__version__, "scikit-learn": sklearn.__version__},
        "codes": plain(codes[:n]), "queries": plain(codes[n:]), "targets": {k: v.tolist() for k, v in targets.items()}, "cases": cases,
    }
    with open(OUT, "w", encoding="utf-8") as f:
        json.dump(out, f, separators=(",", ":"))
        f.write("\n")


if __name__ == "__main__":
    main()
