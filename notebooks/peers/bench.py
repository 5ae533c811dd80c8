"""The other side of `lab bench`: does one workload with the peer library.

Takes the path of a manifest that says what to do and where its arrays are.
Answers every line of standard input with one run, as a line of JSON with
"seconds" and "score", and the end of input with "peak_bytes" and "versions".
"""

import gc
import json
import os
import platform
import sys
import time
import warnings

manifest = json.load(open(sys.argv[1]))
THREADS = manifest["threads"]
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = str(THREADS)

try:
    import numpy
    import pandas
    import sklearn
except ImportError as missing:
    print(json.dumps({"unavailable": str(missing)}), flush=True)
    sys.exit(0)

from scipy.sparse import csr_matrix
from sklearn.cluster import KMeans
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, ExtraTreesClassifier, RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import CategoricalNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer
from sklearn.tree import DecisionTreeClassifier


def array(name):
    kind = "<f8" if name.endswith("X") else "<i8"
    path = os.path.join(os.path.dirname(sys.argv[1]), name)
    return numpy.fromfile(path, dtype=kind).reshape(manifest["arrays"][name])


def train():
    return array("train_X"), array("train_y")


def test():
    return array("test_X"), array("test_y")


def fastest_of(candidates):
    """The fastest of several ways to do the same work, or the only one."""

    def seconds(work):
        start = time.perf_counter()
        work()
        return time.perf_counter() - start

    return candidates[0] if len(candidates) == 1 else min(candidates, key=seconds)


def fit(make, *forms):
    """Timed: fitting, to X in the fastest of the given forms. Score: accuracy
    on the test rows."""
    X, y = train()
    test_X, test_y = test()

    def candidate(form):
        rows, test_rows = form(X), form(test_X)

        def work():
            model = make().fit(rows, y)
            return lambda: model.score(test_rows, test_y)

        return work

    return fastest_of([candidate(form) for form in forms or (numpy.asarray,)])


def fit_and_predict(*makes):
    """Timed: fitting and predicting, by the fastest of the given models."""
    X, y = train()
    test_X, test_y = test()

    def candidate(make):
        def work():
            predicted = make().fit(X, y).predict(test_X)
            return lambda: (predicted == test_y).mean()

        return work

    return fastest_of([candidate(make) for make in makes])


def boosting():
    """Timed: 100 rounds of histogram boosting by the faster of LightGBM and
    XGBoost, with the same settings: trees of 31 leaves, the best leaf first."""
    import lightgbm
    import xgboost

    categories = {j: range(levels) for j, levels in enumerate(manifest.get("levels") or []) if levels > 0}

    def columns(X):
        if not categories:
            return X
        return pandas.DataFrame(
            {str(j): pandas.Categorical(X[:, j], categories=categories[j]) if j in categories else X[:, j] for j in range(X.shape[1])}
        )

    X, y = train()
    test_X, test_y = test()
    X, test_X = columns(X), columns(test_X)

    def candidate(make):
        def work():
            model = make().fit(X, y)
            return lambda: (model.predict(test_X) == test_y).mean()

        return work

    common = {"n_estimators": 100, "learning_rate": 0.1, "reg_lambda": 0.0, "min_child_weight": 1e-3, "n_jobs": THREADS}
    return fastest_of(
        [
            candidate(lambda: lightgbm.LGBMClassifier(num_leaves=31, max_bin=255, verbosity=-1, **common)),
            candidate(
                lambda: xgboost.XGBClassifier(
                    tree_method="hist", grow_policy="lossguide", max_leaves=31, max_depth=0, max_bin=256, enable_categorical=True, **common
                )
            ),
        ]
    )


def uci():
    """Timed: the UCI experiment on the given folds, each algorithm by
    cross_val_score. There is no ID3 in scikit-learn, so trees are binary ones on
    the codes. Score: the mean accuracy over algorithms and sets."""
    jobs = []
    for s in manifest["uci"]:
        X, y, folds = (array(s["set"] + part) for part in ("_X", "_y", "_folds"))
        cv = [(numpy.flatnonzero(row != f), numpy.flatnonzero(row == f)) for row in folds for f in range(s["folds"])]
        jobs += [(model, X, y, cv) for model in uci_models(s, numpy.isnan(X).any())]

    def scores(model, X, y, cv):
        return cross_val_score(model, X, y, cv=cv, n_jobs=THREADS, error_score="raise")

    # Starts the worker processes.
    scores(jobs[0][0], *jobs[0][1:3], jobs[0][3][:THREADS])

    def work():
        means = [scores(*job).mean() for job in jobs]
        return lambda: numpy.mean(means)

    return work


def uci_models(s, missing):
    """The algorithms, each behind what makes the values ready within the fold."""
    levels = [k or s["intervals"] for k in s["levels"]]
    impute = [SimpleImputer(strategy="most_frequent")] if missing else []
    ready = impute if all(s["levels"]) else [KBinsDiscretizer(s["intervals"], encode="ordinal", strategy="uniform")]
    bayes = CategoricalNB(min_categories=levels)
    models = [
        DecisionTreeClassifier(criterion="entropy", random_state=0),
        RandomForestClassifier(s["trees"], criterion="entropy", max_samples=s["tree_share"], random_state=0),
        AdaBoostClassifier(n_estimators=s["rounds"], random_state=0),
        bayes,
        BaggingClassifier(bayes, s["bags"], max_samples=s["bag_share"], bootstrap=False, random_state=0),
        KNeighborsClassifier(s["neighbours"], metric="hamming"),
    ]
    models = [make_pipeline(*ready, model) for model in models]
    if s["has_numbers"]:
        for metric in ("euclidean", "manhattan"):
            models.append(make_pipeline(*impute, KNeighborsClassifier(s["neighbours"], metric=metric)))
    return models


def cluster(make):
    """Timed: a fit that does not see the classes. Score: how far the clusters of the
    test rows agree with their classes, the adjusted Rand index."""
    X, _ = train()
    test_X, test_y = test()

    def work():
        model = make(X).fit(X)
        return lambda: adjusted_rand_score(test_y, model.predict(test_X))

    return work


def predict(make):
    """Timed: predicting."""
    model = make().fit(*train())
    test_X, test_y = test()

    def work():
        predicted = model.predict(test_X)
        return lambda: (predicted == test_y).mean()

    return work


def load():
    """Timed: reading the CSV files. Score: rows."""

    def work():
        rows = sum(len(pandas.read_csv(path)) for path in manifest["files"])
        return lambda: rows

    return work


def forest():
    return RandomForestClassifier(n_estimators=100, n_jobs=THREADS, random_state=0)


def network():
    return MLPClassifier(hidden_layer_sizes=(100,), max_iter=20, random_state=0)


WORKLOADS = {
    "tree": lambda: fit(lambda: DecisionTreeClassifier(random_state=0)),
    "forest": lambda: fit(forest),
    "extratrees": lambda: fit(lambda: ExtraTreesClassifier(n_estimators=100, n_jobs=THREADS, random_state=0)),
    "forest-predict": lambda: predict(forest),
    "adaboost": lambda: fit(lambda: AdaBoostClassifier(n_estimators=50, random_state=0)),
    "knn": lambda: fit_and_predict(
        *(lambda search=search: KNeighborsClassifier(algorithm=search, n_jobs=THREADS) for search in ("brute", "kd_tree", "ball_tree"))
    ),
    "knn-hamming": lambda: fit_and_predict(lambda: KNeighborsClassifier(metric="hamming", n_jobs=THREADS)),
    "bayes": lambda: fit_and_predict(lambda: CategoricalNB(min_categories=16)),
    "boosting": boosting,
    "network": lambda: fit(network, numpy.asarray, csr_matrix),
    "logistic": lambda: fit(lambda: LogisticRegression(), numpy.asarray, csr_matrix),
    "kmeans": lambda: cluster(lambda X: KMeans(26, init=X[:26], n_init=1)),
    "mixture": lambda: cluster(lambda X: GaussianMixture(26, reg_covar=1e-3, max_iter=20, tol=0, random_state=0)),
    "uci": uci,
    "csv": load,
}


def peak_bytes():
    try:
        with open("/proc/self/status") as status:
            for line in status:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def main():
    # Twenty epochs are what is asked for, converged or not.
    warnings.simplefilter("ignore", ConvergenceWarning)
    try:
        work = WORKLOADS[manifest["key"]]()
    except ImportError as missing:
        print(json.dumps({"unavailable": str(missing)}), flush=True)
        return
    for _ in sys.stdin:
        gc.collect()
        start = time.perf_counter()
        score = work()
        seconds = time.perf_counter() - start
        print(json.dumps({"seconds": seconds, "score": float(score())}), flush=True)
    versions = {
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "pandas": pandas.__version__,
        "scikit-learn": sklearn.__version__,
    }
    for library in ("lightgbm", "xgboost"):
        if library in sys.modules:
            versions[library] = sys.modules[library].__version__
    print(json.dumps({"peak_bytes": peak_bytes(), "versions": versions}), flush=True)


main()
