"""What the peers reach on Adult Income, for notebooks/ada511.

usage: go test ./notebooks/ada511 -run TestPeersHaveOurFolds -folds FOLDS.json
       ada511.py TRAIN.csv TEST.csv FOLDS.json [MODEL ...] > notebooks/ada511/peers.json

The first command writes the folds that notebooks 5 and 10 use: for 5 and for 10 folds,
the number of the fold that holds out each row of the training file. The protocol is
theirs, too:

1. Twelve settings of each kind of model are tried, each by cross-validation on the five
   folds of the training file (stratified and shuffled), with five seeds where the model
   draws at random. The best mean accuracy is chosen, the first of equals. Where the best
   lay at the edge of its grid, the grid was moved until it did not.
2. The chosen settings are scored on ten other folds of the training file, shuffled with
   another seed, again with five seeds where the model draws at random; errors are
   averaged over the seeds, fold by fold.
3. The test file is opened once all models have been chosen: each is fitted to the
   whole training file and scored on it, again with five seeds. With the names of
   models the test file stays closed and nothing is printed but what was tried, so
   that whoever moves a grid has seen no accuracy of the test file.

The default tree has nothing to choose. Categories are native columns for the four
histogram learners and one-hot columns for the others; a country that occurs in the
test file only is unknown to both. One fit gives the answers for all numbers of
rounds up to its own. All boosters learn with the rate 0.2, as those of notebook 5 do.
"""

import json
import platform
import sys
import warnings
from itertools import product

import lightgbm
import numpy
import pandas
import sklearn
import xgboost
import ydf
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

warnings.simplefilter("ignore")
TARGET = "income"
train = pandas.read_csv(sys.argv[1])
names = [name for name in train if name != TARGET]
levels = {name: sorted(train[name].unique()) for name in names}
encoder = OneHotEncoder(categories=[levels[name] for name in names], handle_unknown="ignore").fit(train[names])


def columns(part):
    """Native and one-hot columns of a file, dense ones, and the classes."""
    native = pandas.DataFrame(
        {name: pandas.Categorical(part[name].where(part[name].isin(levels[name])), categories=levels[name]) for name in names}
    )
    onehot = encoder.transform(part[names]).tocsr()
    return native, onehot, onehot.toarray(), (part[TARGET] == ">50K").to_numpy().astype(int)


native, onehot, dense, y = columns(train)  # dense: in this form forests are quicker
assert 0 < y.mean() < 1
with open(sys.argv[3]) as file:
    fold_of = {int(k): numpy.array(numbers) for k, numbers in json.load(file).items()}
to_choose, to_compare = (
    [(numpy.flatnonzero(fold_of[k] != i), numpy.flatnonzero(fold_of[k] == i)) for i in range(k)] for k in (5, 10)
)


def grid(**values):
    return [dict(zip(values, chosen)) for chosen in product(*values.values())]


# For models that grow by rounds: the name of that setting, and what a fitted model
# predicts after so many rounds.
def staged(model, X, rounds):
    return {r: p for r, p in enumerate(model.staged_predict(X), 1) if r in rounds}


def lightgbm_staged(model, X, rounds):
    return {r: model.predict(X, num_iteration=r) for r in rounds}


def xgboost_staged(model, X, rounds):
    return {r: model.predict(X, iteration_range=(0, r)) for r in rounds}


class Forests:
    """YDF, the library behind TensorFlow Decision Forests, with scikit-learn's interface.

    What it calls max_num_nodes counts leaves. All rows are used for learning: YDF would hold a tenth back and stop early by it.
    """

    def __init__(self, **settings):
        self.learner = ydf.GradientBoostedTreesLearner(
            label=TARGET, growing_strategy="BEST_FIRST_GLOBAL", max_depth=-1, shrinkage=0.2, validation_ratio=0.0, early_stopping="NONE", num_threads=1, **settings
        )

    def fit(self, X, truth):
        self.model = self.learner.train(X.astype(str).assign(**{TARGET: truth}), verbose=0)
        return self

    def predict(self, X):
        return (self.model.predict(X.astype(str)) > 0.5).astype(int)


# name: class, fixed settings, whether it draws at random, columns, settings to try,
# and for models that grow by rounds: the setting's name, its values, the function.
MODELS = {
    "default tree": (DecisionTreeClassifier, {}, True, onehot, [{}]),
    "decision tree": (DecisionTreeClassifier, {}, True, onehot, grid(max_depth=[4, 6, 8, 10], min_samples_leaf=[10, 25, 50])),
    "random forest": (RandomForestClassifier, {"n_estimators": 20, "n_jobs": 1}, True, dense, grid(max_features=[5, 10, 20], min_samples_leaf=[4, 8, 16, 32])),
    "gradient boosting": (GradientBoostingClassifier, {"random_state": 0, "learning_rate": 0.2}, False, onehot, grid(max_depth=[1, 2, 3]), "n_estimators", [50, 100, 200, 400], staged),
    "histogram boosting, scikit-learn": (
        HistGradientBoostingClassifier,
        {"early_stopping": False, "categorical_features": "from_dtype", "learning_rate": 0.2},
        False,
        native,
        grid(max_leaf_nodes=[2, 3, 4]),
        "max_iter",
        [25, 50, 100, 200],
        staged,
    ),
    "histogram boosting, LightGBM": (
        lightgbm.LGBMClassifier,
        {"verbosity": -1, "n_jobs": 1, "learning_rate": 0.2},
        False,
        native,
        grid(num_leaves=[2, 3, 4]),
        "n_estimators",
        [50, 100, 200, 400],
        lightgbm_staged,
    ),
    "histogram boosting, XGBoost": (
        xgboost.XGBClassifier,
        {"tree_method": "hist", "grow_policy": "lossguide", "max_depth": 0, "enable_categorical": True, "n_jobs": 1, "learning_rate": 0.2},
        False,
        native,
        grid(max_leaves=[2, 3, 4]),
        "n_estimators",
        [50, 100, 200, 400],
        xgboost_staged,
    ),
    "histogram boosting, YDF": (Forests, {}, False, native, grid(max_num_nodes=[2, 3, 4], num_trees=[50, 100, 200, 400])),
    "logistic regression": (LogisticRegression, {"max_iter": 1000}, False, onehot, grid(C=[0.001, 0.003, 0.01, 0.03, 0.05, 0.1, 0.2, 0.3, 1.0, 3.0, 10.0, 30.0])),
    "network": (
        MLPClassifier,
        {"early_stopping": True, "n_iter_no_change": 5, "max_iter": 100},
        True,
        onehot,
        grid(hidden_layer_sizes=[(4,), (8,), (16,)], alpha=[1e-4, 1e-3, 1e-2, 1e-1]),
    ),
}


def rows(X, chosen):
    return X.iloc[chosen] if X is native else X[chosen]


def accuracy(model, X, truth):
    return float((model.predict(X) == truth).mean())


def fit(kind, settings, X, seed, truth):
    return kind(**settings, **({} if seed is None else {"random_state": seed})).fit(X, truth)


def choose(kind, fixed, seeds, X, candidates, grows=None, values=None, stages=None):
    """The mean accuracy of every candidate over folds and seeds, and the candidates."""
    tried, means = [], []
    for settings in candidates:
        scores = []
        for (learned, held), seed in product(to_choose, seeds):
            more = {} if grows is None else {grows: values[-1]}
            model = fit(kind, fixed | settings | more, rows(X, learned), seed, y[learned])
            H = rows(X, held)
            answers = {None: model.predict(H)} if grows is None else stages(model, H, values)
            scores.append([float((answers[r] == y[held]).mean()) for r in ([None] if grows is None else values)])
        means += [float(m) for m in numpy.mean(scores, axis=0)]
        tried += [settings] if grows is None else [settings | {grows: r} for r in values]
    return tried, means


answers, fitted = {}, {}
only = sys.argv[4:]  # the models to try, all if there are none
for name, (kind, fixed, draws, X, candidates, *growth) in MODELS.items():
    if only and name not in only:
        continue
    seeds = range(5) if draws else [None]
    tried, means = choose(kind, fixed, seeds, X, candidates, *growth)
    best = int(numpy.argmax(means))
    print(name, *(f"{t} {m:.4f}" for t, m in zip(tried, means)), "best:", tried[best], sep="\n  ", file=sys.stderr, flush=True)
    if only:
        continue
    chosen = fixed | tried[best]
    errors = [
        float(numpy.mean([1 - accuracy(fit(kind, chosen, rows(X, learned), s, y[learned]), rows(X, held), y[held]) for s in seeds]))
        for learned, held in to_compare
    ]
    fitted[name] = [fit(kind, chosen, X, s, y) for s in seeds]
    answers[name] = {
        "settings": {k: list(v) if isinstance(v, tuple) else v for k, v in tried[best].items()},
        "tried": len(tried),
        "choice": means[best],
        "errors": errors,
        "train": [accuracy(m, X, y) for m in fitted[name]],
    }
if only:
    sys.exit()

test_native, test_onehot, test_dense, test_y = columns(pandas.read_csv(sys.argv[2]))
for name, models in fitted.items():
    X = MODELS[name][3]
    answers[name]["test"] = [accuracy(m, test_native if X is native else test_dense if X is dense else test_onehot, test_y) for m in models]

versions = {"python": platform.python_version()} | {m.__name__: m.__version__ for m in (numpy, sklearn, lightgbm, xgboost, ydf)}
checks = {str(len(folds)): [int(held.sum()) for _, held in folds] for folds in (to_choose, to_compare)}
json.dump({"versions": versions, "folds": checks, "models": answers}, sys.stdout, indent=1)
print()
