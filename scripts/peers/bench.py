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

from sklearn.ensemble import AdaBoostClassifier, ExtraTreesClassifier, RandomForestClassifier
from sklearn.naive_bayes import CategoricalNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier


def array(name):
    kind = "<f8" if name.endswith("X") else "<i8"
    path = os.path.join(os.path.dirname(sys.argv[1]), name)
    return numpy.fromfile(path, dtype=kind).reshape(manifest["arrays"][name])


def train():
    return array("train_X"), array("train_y")


def test():
    return array("test_X"), array("test_y")


def fit(make):
    """Timed: fitting. Score: accuracy on the test rows."""
    X, y = train()
    test_X, test_y = test()

    def work():
        model = make().fit(X, y)
        return lambda: model.score(test_X, test_y)

    return work


def fit_and_predict(*makes):
    """Timed: fitting and predicting, by the fastest of the given models."""
    X, y = train()
    test_X, test_y = test()

    def work(make):
        predicted = make().fit(X, y).predict(test_X)
        return lambda: (predicted == test_y).mean()

    def seconds(make):
        start = time.perf_counter()
        work(make)
        return time.perf_counter() - start

    fastest = makes[0] if len(makes) == 1 else min(makes, key=seconds)
    return lambda: work(fastest)


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
    work = WORKLOADS[manifest["key"]]()
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
    print(json.dumps({"peak_bytes": peak_bytes(), "versions": versions}), flush=True)


main()
