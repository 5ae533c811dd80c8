"""What the peers reach on Adult Income, for notebooks/ada511.

usage: ada511.py TRAIN.csv TEST.csv > notebooks/ada511/peers.json

The protocol is the notebooks', with grids of its own: every setting of a model is
scored by 5-fold cross-validation on the training file alone (stratified, rows in
the file's order), the best mean accuracy is chosen (the first of equals), the
model is fitted to the whole training file with it and scored once on the test
file. Categories are native columns for the three histogram learners and
one-hot columns for the others; what occurs in the test file only is unknown to
both.
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
from sklearn.ensemble import ExtraTreesClassifier, GradientBoostingClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

warnings.simplefilter("ignore", ConvergenceWarning)
TARGET = "income"
train, test = (pandas.read_csv(path) for path in sys.argv[1:3])
names = [name for name in train if name != TARGET]
y, test_y = ((part[TARGET] == ">50K").to_numpy().astype(int) for part in (train, test))
assert 0 < y.mean() < 1

levels = {name: sorted(train[name].unique()) for name in names}
native, test_native = (
    pandas.DataFrame(
        {name: pandas.Categorical(part[name].where(part[name].isin(levels[name])), categories=levels[name]) for name in names}
    )
    for part in (train, test)
)
encoder = OneHotEncoder(categories=[levels[name] for name in names], handle_unknown="ignore").fit(train[names])
onehot, test_onehot = encoder.transform(train[names]).tocsr(), encoder.transform(test[names]).tocsr()
folds = list(StratifiedKFold(5).split(onehot, y))


def grid(**values):
    return [dict(zip(values, chosen)) for chosen in product(*values.values())]


def rounds_of(grow, settings):
    """One candidate for each number of rounds; each is a fit of its own."""
    return [{**s, grow: rounds} for s in settings for rounds in (50, 100, 200, 400)]


MODELS = {
    "decision tree": (DecisionTreeClassifier, {"random_state": 0}, onehot, grid(max_depth=[4, 6, 8, 10, None], min_samples_leaf=[1, 5, 10, 20, 50])),
    "random forest": (RandomForestClassifier, {"n_estimators": 200, "random_state": 0}, onehot, grid(max_features=["sqrt", 0.2, 0.4], min_samples_leaf=[1, 2, 4, 8])),
    "extremely randomised trees": (ExtraTreesClassifier, {"n_estimators": 200, "random_state": 0}, onehot, grid(max_features=["sqrt", 0.2, 0.4], min_samples_leaf=[1, 2, 4, 8])),
    "gradient boosting": (GradientBoostingClassifier, {"random_state": 0}, onehot, grid(max_depth=[2, 3, 5], learning_rate=[0.1], n_estimators=[100, 200, 400])),
    "histogram boosting, scikit-learn": (
        HistGradientBoostingClassifier,
        {"early_stopping": False, "categorical_features": "from_dtype"},
        native,
        rounds_of("max_iter", grid(max_leaf_nodes=[4, 8, 16, 31], learning_rate=[0.05, 0.1])),
    ),
    "histogram boosting, LightGBM": (lightgbm.LGBMClassifier, {"verbosity": -1, "n_jobs": 2}, native, rounds_of("n_estimators", grid(num_leaves=[4, 8, 16, 31], learning_rate=[0.05, 0.1]))),
    "histogram boosting, XGBoost": (
        xgboost.XGBClassifier,
        {"tree_method": "hist", "grow_policy": "lossguide", "max_depth": 0, "enable_categorical": True, "n_jobs": 2},
        native,
        rounds_of("n_estimators", grid(max_leaves=[4, 8, 16, 31], learning_rate=[0.05, 0.1])),
    ),
    "logistic regression": (LogisticRegression, {"max_iter": 1000}, onehot, grid(C=[0.01, 0.1, 1.0, 10.0])),
    "network": (
        MLPClassifier,
        {"random_state": 0, "early_stopping": True, "n_iter_no_change": 5, "max_iter": 100},
        onehot,
        grid(hidden_layer_sizes=[(16,), (64,), (64, 32)], alpha=[1e-4, 1e-2, 1e-1, 1.0], learning_rate_init=[1e-3, 3e-3]),
    ),
}


def rows(X, chosen):
    return X.iloc[chosen] if X is native else X[chosen]


answers = {}
for name, (kind, fixed, X, candidates) in MODELS.items():
    means = []
    for settings in candidates:
        scores = [
            (kind(**fixed, **settings).fit(rows(X, fit), y[fit]).predict(rows(X, held)) == y[held]).mean() for fit, held in folds
        ]
        means.append(float(numpy.mean(scores)))
    best = int(numpy.argmax(means))
    model = kind(**fixed, **candidates[best]).fit(X, y)
    predicted = model.predict(test_native if X is native else test_onehot)
    answers[name] = {
        "settings": {k: list(v) if isinstance(v, tuple) else v for k, v in candidates[best].items()},
        "candidates": len(candidates),
        "cross_validation": means[best],
        "train": float((model.predict(X) == y).mean()),
        "test": float((predicted == test_y).mean()),
    }
    print(name, answers[name], file=sys.stderr, flush=True)

versions = {"python": platform.python_version()} | {m.__name__: m.__version__ for m in (numpy, sklearn, lightgbm, xgboost)}
json.dump({"versions": versions, "models": answers}, sys.stdout, indent=1)
print()
