"""The other side of `lab bench`: does one workload with the peer library.

Takes the path of a manifest that says what to do and where its arrays are.
Answers every line "run" of standard input with one run, as a line of JSON with
"seconds", "cpu" (the processor's) and "score", "ready" with an empty object once
all is prepared, and the end of input with "peak_bytes" and "versions".
"""

import gc
import importlib.metadata
import json
import os
import platform
import sys
import time
import warnings

manifest = json.load(open(sys.argv[1]))
THREADS = manifest["threads"]
TREES = manifest.get("trees", 100)
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = str(THREADS)

try:
    import numpy
    import pandas
    import sklearn

    if manifest.get("library") == "intelex":
        # In the place of scikit-learn's classes, so before these are imported.
        import sklearnex

        sklearnex.patch_sklearn(verbose=False)
except ImportError as missing:
    print(json.dumps({"unavailable": str(missing)}), flush=True)
    sys.exit(0)

from scipy.sparse import csr_matrix
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import f_regression
from sklearn.impute import SimpleImputer
from sklearn.inspection import permutation_importance
from sklearn.linear_model import ElasticNet, LogisticRegression, Ridge
from sklearn.metrics import adjusted_rand_score, median_absolute_error, pairwise_distances, silhouette_samples
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, StandardScaler
from sklearn.svm import SVC, SVR, LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.discovery import all_estimators


def array(name):
    kind = "<f8" if name.endswith(("X", "_t")) else "<i8"
    path = os.path.join(os.path.dirname(sys.argv[1]), name)
    return numpy.fromfile(path, dtype=kind).reshape(manifest["arrays"][name])


def part(name):
    """The rows of a part of the data and what is to be predicted: numbers t or
    classes y."""
    targets = name + ("_t" if name + "_t" in manifest["arrays"] else "_y")
    return array(name + "_X"), array(targets)


def train():
    return part("train")


def test():
    return part("test")


def fastest_of(candidates):
    """The fastest of several ways to do the same work, or the only one."""

    def seconds(work):
        start = time.perf_counter()
        work()
        return time.perf_counter() - start

    return candidates[0] if len(candidates) == 1 else min(candidates, key=seconds)


def fit(make, *forms):
    """Timed: fitting, to X in the fastest of the given forms. Score: accuracy
    or R² on the test rows."""
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


BOOSTER = {"n_estimators": TREES, "learning_rate": 0.1, "reg_lambda": 0.0, "min_child_weight": 1e-3, "n_jobs": THREADS}


def lightgbm_maker():
    import lightgbm

    return lambda: lightgbm.LGBMClassifier(num_leaves=31, max_bin=255, verbosity=-1, **BOOSTER)


def boosting():
    """Timed: 100 rounds of histogram boosting by the fastest of LightGBM, XGBoost,
    CatBoost and scikit-learn, with the same settings: trees of 31 leaves, the best
    leaf first."""
    import catboost
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
            return lambda: (numpy.ravel(model.predict(test_X)) == test_y).mean()

        return work

    return fastest_of(
        [
            candidate(lightgbm_maker()),
            candidate(
                lambda: xgboost.XGBClassifier(
                    tree_method="hist", grow_policy="lossguide", max_leaves=31, max_depth=0, max_bin=256, enable_categorical=True, **BOOSTER
                )
            ),
            candidate(
                lambda: catboost.CatBoostClassifier(
                    iterations=TREES,
                    learning_rate=0.1,
                    grow_policy="Lossguide",
                    max_leaves=31,
                    thread_count=THREADS,
                    cat_features=[str(j) for j in categories],
                    verbose=0,
                    allow_writing_files=False,
                )
            ),
            candidate(lambda: HistGradientBoostingClassifier(max_iter=TREES, early_stopping=False)),
        ]
    )


def columns_by_name(X, y=None):
    """The form that YDF asks for."""
    named = {f"x{j}": X[:, j] for j in range(X.shape[1])}
    return named if y is None else named | {"y": y}


def ydf_forest():
    """Timed: fitting YDF's forest. Score: accuracy on the test rows."""
    import ydf

    ydf.verbose(0)
    data = columns_by_name(*train())
    test_X, test_y = test()

    def work():
        learner = ydf.RandomForestLearner(label="y", num_trees=100, num_threads=THREADS, winner_take_all=False, compute_oob_performances=False)
        model = learner.train(data)

        def score():
            labels = numpy.array(model.label_classes()).astype(int)
            return (labels[model.predict(columns_by_name(test_X)).argmax(axis=1)] == test_y).mean()

        return score

    return work


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


def estimator():
    """The estimator that the manifest names, with the number of threads where it has
    one."""
    make = dict(all_estimators())[manifest["estimator"]]
    model = make(**(manifest.get("settings") or {}))
    if "n_jobs" in model.get_params():
        model.set_params(n_jobs=THREADS)
    if "random_state" in model.get_params():
        model.set_params(random_state=0)
    return model


def predict(make):
    """Timed: predicting."""
    model = make().fit(*train())
    test_X, test_y = test()

    def work():
        predicted = model.predict(test_X)
        return lambda: (predicted == test_y).mean()

    return work


def explained(make=lambda: PCA(5)):
    """Timed: fitting a PCA. Score: the share of the variance that is kept."""
    X, _ = train()

    def work():
        model = make().fit(X)
        return lambda: model.explained_variance_ratio_.sum()

    return work


def fit_transform():
    """Timed: fitting a transformer and transforming the same rows. Score: the greatest
    mean of a column that is left, in millionths."""
    X, _ = train()

    def work():
        changed = estimator().fit_transform(X)
        return lambda: numpy.round(1e6 * numpy.abs(changed.mean(axis=0)).max())

    return work


def averaged(work):
    """Work that makes numbers. Score: the mean of those that are finite."""

    def turn():
        numbers = numpy.asarray(work(), dtype=float)
        return lambda: numbers[numpy.isfinite(numbers)].mean()

    return turn


def transformed():
    """Timed: fitting a transformer and transforming the same rows."""
    X, y = train()
    return averaged(lambda: estimator().fit_transform(X, y))


def density():
    """Timed: fitting a density and asking for its logarithm at the test rows. Where no
    row is near it is what rounding leaves in the place of 0."""
    X, _ = train()
    test_X, _ = test()
    return averaged(lambda: numpy.maximum(estimator().fit(X).score_samples(test_X), -15))


def probabilities():
    """Timed: the probabilities of the test rows. Score: the mean of class 0's."""
    model = estimator().fit(*train())
    test_X, _ = test()
    return averaged(lambda: model.predict_proba(test_X)[:, 0])


def pairwise():
    """Timed: the distances of all pairs. Score: the mean of three of them."""
    X, _ = train()

    def three():
        found = pairwise_distances(X, **manifest["settings"])
        n = len(found)
        return [found[0, -1], found[n // 2, -1], found[0, n // 2]]

    return averaged(three)


def groups():
    """Timed: a search for groups of the training rows. Score: how far these agree with
    the classes, the adjusted Rand index."""
    X, y = train()

    def work():
        labels = estimator().fit(X).labels_
        return lambda: adjusted_rand_score(y, labels)

    return work


def silhouette():
    """Timed: the silhouettes of the rows in their classes."""
    X, y = train()
    return averaged(lambda: silhouette_samples(X, y))


def regression_scores():
    """Timed: the F score of each column."""
    X, t = train()
    return averaged(lambda: f_regression(X, t)[0])


def median_error():
    """Timed: the median error of the first column as a prediction."""
    X, t = train()
    first = X[:, 0].copy()
    return averaged(lambda: median_absolute_error(t, first))


def permutation():
    """Timed: shuffling each column five times and predicting. Score: the greatest
    fall of the accuracy."""
    model = DecisionTreeClassifier(random_state=0).fit(*train())
    test_X, test_y = test()

    def work():
        found = permutation_importance(model, test_X, test_y, n_repeats=5, n_jobs=THREADS, random_state=0)
        return lambda: found.importances_mean.max()

    return work


def pipeline():
    """Timed: 5-fold cross-validation. Score: its mean accuracy."""
    X, y = train()

    def work():
        scores = cross_val_score(make_pipeline(StandardScaler(), LogisticRegression()), X, y, cv=5, n_jobs=THREADS)
        return lambda: scores.mean()

    return work


def single_rows():
    """Timed: a thousand predictions of one row each, as a server makes them, by
    scikit-learn itself or by ONNX Runtime. Score: accuracy on these rows."""
    import onnxruntime
    import skl2onnx

    rows = 1000
    X, y = train()
    test_X, test_y = test()
    model = forest().set_params(n_jobs=1).fit(X, y)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    converted = skl2onnx.to_onnx(model, X[:1].astype(numpy.float32), options={"zipmap": False})
    session = onnxruntime.InferenceSession(converted.SerializeToString(), options, providers=["CPUExecutionProvider"])
    asked, name = test_X.astype(numpy.float32), session.get_inputs()[0].name

    def by(one):
        def work():
            predicted = numpy.array([one(i) for i in range(rows)])
            return lambda: (predicted == test_y[:rows]).mean()

        return work

    return fastest_of(
        [
            by(lambda i: session.run(["label"], {name: asked[i : i + 1]})[0][0]),
            by(lambda i: model.predict(test_X[i : i + 1])[0]),
        ]
    )


def model_file():
    """Timed: saving a model to a file and loading it. Score: accuracy on the test
    rows."""
    import joblib

    model = forest().fit(*train())
    test_X, test_y = test()
    path = os.path.join(os.path.dirname(sys.argv[1]), "forest.joblib")

    def work():
        joblib.dump(model, path)
        loaded = joblib.load(path)
        return lambda: loaded.score(test_X, test_y)

    return work


def load():
    """Timed: reading the CSV files. Score: rows."""

    def work():
        rows = sum(len(pandas.read_csv(path)) for path in manifest["files"])
        return lambda: rows

    return work


def forest():
    return RandomForestClassifier(n_estimators=TREES, n_jobs=THREADS, random_state=0)


def network():
    return MLPClassifier(hidden_layer_sizes=(100,), max_iter=20, random_state=0)


WORKLOADS = {
    "tree": lambda: fit(lambda: DecisionTreeClassifier(random_state=0)),
    "tree-predict": lambda: predict(lambda: DecisionTreeClassifier(random_state=0)),
    "forest": lambda: fit(forest),
    "extratrees": lambda: fit(lambda: ExtraTreesClassifier(n_estimators=100, n_jobs=THREADS, random_state=0)),
    "ydf-forest": ydf_forest,
    "forest-predict": lambda: predict(forest),
    "adaboost": lambda: fit(lambda: AdaBoostClassifier(n_estimators=50, random_state=0)),
    "knn": lambda: fit_and_predict(
        *(lambda search=search: KNeighborsClassifier(algorithm=search, n_jobs=THREADS) for search in ("brute", "kd_tree", "ball_tree"))
    ),
    "knn-hamming": lambda: fit_and_predict(lambda: KNeighborsClassifier(metric="hamming", n_jobs=THREADS)),
    "bayes": lambda: fit_and_predict(lambda: CategoricalNB(min_categories=16)),
    "boosting": boosting,
    "lightgbm": lambda: fit(lightgbm_maker()),
    "network": lambda: fit(network, numpy.asarray, csr_matrix),
    "logistic": lambda: fit(lambda: LogisticRegression(), numpy.asarray, csr_matrix),
    "kmeans": lambda: cluster(lambda X: KMeans(26, init=X[:26], n_init=1)),
    "mixture": lambda: cluster(lambda X: GaussianMixture(26, reg_covar=1e-3, max_iter=20, tol=0, random_state=0)),
    "gradient-boosting": lambda: fit(lambda: GradientBoostingClassifier(random_state=0)),
    "svc": lambda: fit(lambda: SVC()),
    "svr": lambda: fit(lambda: SVR()),
    "linear-svc": lambda: fit(lambda: LinearSVC(random_state=0)),
    "ridge": lambda: fit(lambda: Ridge()),
    "elastic-net": lambda: fit(lambda: ElasticNet(alpha=0.01)),
    "gaussian-bayes": lambda: fit_and_predict(lambda: GaussianNB()),
    "pca": explained,
    "fit": lambda: fit(estimator),
    "predict": lambda: predict(estimator),
    "fit-and-predict": lambda: fit_and_predict(estimator),
    "cluster": lambda: cluster(lambda X: estimator().set_params(init=X[: manifest["settings"]["n_clusters"]])),
    "mixture-fit": lambda: cluster(lambda X: estimator()),
    "fit-transform": fit_transform,
    "components": lambda: explained(estimator),
    "transformed": transformed,
    "density": density,
    "probabilities": probabilities,
    "pairwise": pairwise,
    "groups": groups,
    "silhouette": silhouette,
    "regression-scores": regression_scores,
    "median-error": median_error,
    "permutation": permutation,
    "pipeline": pipeline,
    "single-rows": single_rows,
    "model-file": model_file,
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


def turn(work):
    """One run. Its model ends with it: one that lived on beside the model of the
    next run would count as peak memory of the work."""
    gc.collect()
    start, used = time.perf_counter(), time.process_time()
    score = work()
    seconds, cpu = time.perf_counter() - start, time.process_time() - used
    return {"seconds": seconds, "cpu": cpu, "score": float(score())}


def main():
    # Twenty epochs are what is asked for, converged or not.
    warnings.simplefilter("ignore", ConvergenceWarning)
    try:
        work = WORKLOADS[manifest["key"]]()
    except ImportError as missing:
        print(json.dumps({"unavailable": str(missing)}), flush=True)
        return
    for line in sys.stdin:
        if line.strip() == "ready":
            print("{}", flush=True)
            continue
        print(json.dumps(turn(work)), flush=True)
    versions = {
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "pandas": pandas.__version__,
        "scikit-learn": sklearn.__version__,
    }
    for library in ("lightgbm", "xgboost", "catboost", "ydf", "onnxruntime"):
        if library in sys.modules:
            versions[library] = sys.modules[library].__version__
    if manifest.get("library") == "intelex":
        versions["scikit-learn-intelex"] = importlib.metadata.version("scikit-learn-intelex")
    print(json.dumps({"peak_bytes": peak_bytes(), "versions": versions}), flush=True)


main()
