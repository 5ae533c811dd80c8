"""Make the answers that mlcore/preprocess is tested against, with scikit-learn.

    python preprocess.py [FOLDER]

writes mlcore/preprocess/testdata/peers.json. Made-up data are stored with
their answers, null for a missing value; of Ecoli, whose file is in FOLDER (by
default datasets/files), only the answers are.
"""

import json
import os
import platform
import sys

import numpy as np
import sklearn
from sklearn.decomposition import PCA
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import KBinsDiscretizer, MinMaxScaler, OneHotEncoder, OrdinalEncoder, PolynomialFeatures, StandardScaler

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
OUT = os.path.join(ROOT, "mlcore", "preprocess", "testdata", "peers.json")


def plain(X):
    """Lists, with None for NaN, which JSON does not have."""
    return [[None if v != v else float(v) for v in row] for row in np.asarray(X, dtype=float)]


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "datasets", "files")
    rng = np.random.default_rng(20265)
    n, q = 60, 20
    X = rng.normal(size=(n + q, 5)) @ rng.normal(size=(5, 5)) * [1, 10, 0.01, 3, 1] + [0, 100, 5, -3, 0]
    X = np.round(X, 5)
    X[:, 4] = np.round(X[:, 4])  # repeated values
    X[:, 3][:n] = 0.1  # constant in training rows, and not a sum of powers of 2
    holes = X.copy()
    holes[rng.random(X.shape) < 0.15] = np.nan
    codes = rng.integers(0, 4, size=(n + q, 3)).astype(float)
    codes[:n][codes[:n, 1] == 2, 1] = 3  # level 2 of column 1 is in no training row
    train, test = slice(0, n), slice(n, None)

    def fit(transformer, X, rows=test):
        return plain(transformer.fit(X[train]).transform(X[rows]))

    made = {
        "X": plain(X[train]),
        "queries": plain(X[test]),
        "holes": plain(holes[train]),
        "hole_queries": plain(holes[test]),
        "codes": plain(codes[train]),
        "code_queries": plain(codes[test]),
        "answers": {
            "impute mean": fit(SimpleImputer(), holes),
            "impute median": fit(SimpleImputer(strategy="median"), holes),
            "impute mode": fit(SimpleImputer(strategy="most_frequent"), holes),
            "standard": fit(StandardScaler(), X),
            "standard, holes": fit(StandardScaler(), holes),
            "standard, no mean": fit(StandardScaler(with_mean=False), X),
            "standard, no sd": fit(StandardScaler(with_std=False), X),
            "min-max": fit(MinMaxScaler(), X),
            "min-max, holes": fit(MinMaxScaler(), holes),
            "min-max, -1 to 3, clip": fit(MinMaxScaler((-1, 3), clip=True), X),
            "equal width": fit(KBinsDiscretizer(4, encode="ordinal", strategy="uniform"), X[:, :3]),
            "quantile": fit(KBinsDiscretizer(4, encode="ordinal", strategy="quantile", quantile_method="linear"), X[:, [0, 1, 2, 4]]),
            "one-hot": fit(OneHotEncoder(sparse_output=False, handle_unknown="ignore"), codes),
            "one-hot, drop first": fit(OneHotEncoder(sparse_output=False, drop="first"), codes, train),
            "ordinal": fit(OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1), codes),
        },
        "edges": [e[1:-1].tolist() for e in KBinsDiscretizer(4, encode="ordinal", strategy="quantile", quantile_method="linear").fit(X[train][:, [0, 1, 2, 4]]).bin_edges_],
    }
    part = X[:, [0, 1, 2, 4]]
    pca = PCA(svd_solver="full").fit(part[train])
    made["pca"] = {
        "components": pca.components_.tolist(),
        "variance": pca.explained_variance_.tolist(),
        "ratio": pca.explained_variance_ratio_.tolist(),
        "queries": pca.transform(part[test]).tolist(),
        "kept for 0.99": int(PCA(0.99, svd_solver="full").fit(part[train]).n_components_),
    }
    made["polynomial"] = []
    for degree, interaction_only, bias in ((1, False, False), (2, False, False), (3, False, True), (2, True, False), (4, True, True), (9, True, False)):
        poly = PolynomialFeatures(degree, interaction_only=interaction_only, include_bias=bias).fit(part[train])
        made["polynomial"].append({
            "degree": degree,
            "interaction_only": interaction_only,
            "bias": bias,
            "names": poly.get_feature_names_out(["c0", "c1", "c2", "c4"]).tolist(),
            "powers": poly.powers_.tolist(),
            "queries": poly.transform(part[test]).tolist(),
        })
    with open(os.path.join(folder, "ecoli.data"), encoding="utf-8") as f:
        ecoli = np.array([[float(v) for v in line.split()[1:8]] for line in f if line.strip()])
    bins = KBinsDiscretizer(4, encode="ordinal", strategy="uniform").fit(ecoli[:, [0, 1, 2, 4, 5, 6]])  # chg is constant but for one row
    out = {
        "made_by": {"script": "scripts/oracles/preprocess.py", "python": platform.python_version(), "numpy": np.__version__, "scikit-learn": sklearn.__version__},
        "made_up": made,
        "ecoli": {
            "cuts": [e[1:-1].tolist() for e in bins.bin_edges_],
            "letters": ["".join("ABCD"[int(v)] for v in row) for row in bins.transform(ecoli[:, [0, 1, 2, 4, 5, 6]])],
        },
    }
    with open(OUT, "w", encoding="utf-8") as f:
        json.dump(out, f, separators=(",", ":"))
        f.write("\n")


if __name__ == "__main__":
    main()
