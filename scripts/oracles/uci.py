"""Make the scores that notebooks/uci is tested against, with scikit-learn.

    go run ./scripts/lab uci --seed 1 --export-folds folds.json
    python uci.py folds.json [FOLDER]

writes notebooks/uci/testdata/peers.json: the accuracies, in percent, on the very
folds of the experiment, of the algorithms that scikit-learn has. The data files are
those in FOLDER (by default datasets/files); they are made ready here, within each
fold, not by the package under test.

scikit-learn has no ID3: "CART" is its binary tree by entropy on one column a
category, "RF" bagged such trees on a third of the rows, "AB" boosted stumps of them,
for the reader to compare; no test holds ours to them.
"""

import json
import os
import platform
import re
import sys

import numpy as np
import sklearn
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.metrics import pairwise_distances
from sklearn.naive_bayes import CategoricalNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
OUT = os.path.join(ROOT, "notebooks", "uci", "testdata", "peers.json")

# File, column of the label, columns left out, classes in the order of their codes
# (None: the alphabet's).
SETS = {
    "C": ("car.data", 6, [], ["unacc", "acc", "good", "vgood"]),
    "B": ("breast-cancer-wisconsin.data", 10, [0], None),
    "E": ("ecoli.data", 8, [0], None),
    "M": ("agaricus-lepiota.data", 0, [11], None),
    "L": ("letter-recognition.data", 0, [], None),
}
# Settings of the experiment that differ between sets.
BAG_SHARE = {"C": 1 / 20, "L": 1 / 10}
ROUNDS = {"C": 10, "B": 50, "E": 100, "M": 5, "L": 45}
TREES = {"M": 20, "L": 20}
BAGS = 15
NEIGHBOURS = 5
# The large sets have enough rows in one repeat.
REPEATS = {"M": 1, "L": 1}
INTERVALS = 4


def read(folder, file, label, drop, classes):
    with open(os.path.join(folder, file)) as f:
        rows = [line.split(",") if "," in line else line.split() for line in f.read().splitlines() if line.strip()]
    table = np.array([[cell.strip() for cell in row] for row in rows])
    X, y = np.delete(table, [label] + drop, axis=1), table[:, label]
    return X, coded(y) if classes is None else np.array([classes.index(c) for c in y])


def coded(column):
    return np.unique(column, return_inverse=True)[1]


class Data:
    """One set; parts() makes a fold ready."""

    def __init__(self, folder, name):
        file, label, drop, classes = SETS[name]
        self.name = name
        X, self.y = read(folder, file, label, drop, classes)
        if name == "B":
            self.X = np.where(X == "?", "nan", X).astype(float)
        elif name in ("E", "L"):
            self.X = X.astype(float)
        else:
            self.X = np.stack([coded(column) for column in X.T], axis=1).astype(float)

    def parts(self, train, test):
        """Training and test rows as categories and, where there are such, as
        numbers; and the number of categories of each column."""
        if self.name == "B":
            mode = SimpleImputer(strategy="most_frequent").fit(self.X[train])
            numbers = [mode.transform(self.X[rows]) - 1 for rows in (train, test)]
            return numbers, numbers, [10] * self.X.shape[1]
        if self.name == "E":
            numbers = [self.X[train], self.X[test]]
            cut = KBinsDiscretizer(INTERVALS, encode="ordinal", strategy="uniform").fit(numbers[0])
            return [cut.transform(part) for part in numbers], numbers, [int(k) for k in cut.n_bins_]
        levels = [16] * self.X.shape[1] if self.name == "L" else [int(column.max()) + 1 for column in self.X.T]
        return [self.X[train], self.X[test]], None, levels


def accuracy(model, parts, y, train, test):
    return np.mean(model.fit(parts[0], y[train]).predict(parts[1]) == y[test])


def neighbours(metric, parts, y, train, test):
    """k-NN as scikit-learn does it, and with its distances but the earlier row
    first where rows are equally near: scikit-learn leaves open which it takes."""
    free = accuracy(KNeighborsClassifier(NEIGHBOURS, metric=metric, algorithm="brute"), parts, y, train, test)
    right = 0
    for at in range(0, len(test), 500):
        distances = pairwise_distances(parts[1][at : at + 500], parts[0], metric=metric)
        nearest = np.argsort(np.round(distances, 9), axis=1, kind="stable")[:, :NEIGHBOURS]
        votes = [np.bincount(labels) for labels in y[train][nearest]]
        right += sum(v.argmax() == label for v, label in zip(votes, y[test][at : at + 500]))
    return right / len(test), free


def bagged(name, levels, parts, y, train, test, seed):
    bag = BaggingClassifier(
        CategoricalNB(min_categories=levels), BAGS, max_samples=BAG_SHARE.get(name, 1 / 3), bootstrap=False, random_state=seed
    ).fit(parts[0], y[train])
    votes = np.zeros((len(test), len(bag.classes_)))
    for member in bag.estimators_:  # scikit-learn itself would average probabilities
        votes[np.arange(len(test)), member.predict(parts[1])] += 1
    return np.mean(bag.classes_[votes.argmax(axis=1)] == y[test])


def scores(data, train, test, seed):
    categories, numbers, levels = data.parts(train, test)
    y = data.y
    out = {
        "NB": accuracy(CategoricalNB(min_categories=levels), categories, y, train, test),
        "BNB": bagged(data.name, levels, categories, y, train, test, seed),
    }
    metrics = {"kNN-D3": ("hamming", categories), "kNN-D1": ("sqeuclidean", numbers), "kNN-D2": ("manhattan", numbers)}
    for algorithm, (metric, parts) in metrics.items():
        if parts is not None:
            out[algorithm], out[algorithm + " ties free"] = neighbours(metric, parts, y, train, test)
    columns = OneHotEncoder(categories=[np.arange(k) for k in levels], sparse_output=False).fit(categories[0])
    binary = [columns.transform(part) for part in categories]
    stump = DecisionTreeClassifier(criterion="entropy", max_depth=1)
    out["CART"] = accuracy(DecisionTreeClassifier(criterion="entropy", random_state=seed), binary, y, train, test)
    out["RF"] = accuracy(
        RandomForestClassifier(TREES.get(data.name, 50), criterion="entropy", max_samples=1 / 3, random_state=seed), binary, y, train, test
    )
    out["AB"] = accuracy(AdaBoostClassifier(stump, n_estimators=ROUNDS[data.name], random_state=seed), binary, y, train, test)
    return out


def main():
    with open(sys.argv[1]) as f:
        exported = json.load(f)
    folder = sys.argv[2] if len(sys.argv) > 2 else os.path.join(ROOT, "datasets", "files")
    out = {
        "made_by": "scripts/oracles/uci.py",
        "versions": {"python": platform.python_version(), "scikit-learn": sklearn.__version__, "numpy": np.__version__},
        "seed": exported["seed"],
        "folds": exported["folds"],
        "repeats": {},
        "sets": {},
    }
    for name, repeats in exported["sets"].items():
        data = Data(folder, name)
        repeats = repeats[: REPEATS.get(name)]
        found = {}
        for repeat, folds in enumerate(repeats):
            for fold, rows in enumerate(folds):
                train, test = np.array(rows["train"]), np.array(rows["test"])
                for algorithm, score in scores(data, train, test, 100 * repeat + fold).items():
                    found.setdefault(algorithm, []).append(round(100 * float(score), 10))
            print(name, "repeat", repeat, file=sys.stderr)
        out["repeats"][name] = len(repeats)
        out["sets"][name] = found
    # A line for each algorithm, not for each fold.
    text = re.sub(r"\[[^\[\]]*\]", lambda m: " ".join(m.group().split()), json.dumps(out, indent=1))
    os.makedirs(os.path.dirname(OUT), exist_ok=True)
    with open(OUT, "w") as f:
        f.write(text + "\n")


main()
