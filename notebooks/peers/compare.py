"""Fits the models that a request names with scikit-learn and scores them.

Reads one JSON request from standard input and writes one JSON report to
standard output:

request: {"train": {"X": [[...]], "y": [...]}, "test": {...}, "repeats": n,
          "threads": n, "models": [{"name", "estimator", "params"}]}
report:  {"versions": {...}, "scores": [{"name", "accuracy", "fit_seconds",
          "predict_seconds", "predictions"}]}

A parameter whose value is {"estimator": ..., "params": ...} is itself a model,
such as the stump of AdaBoost. Times are medians over the repeats, after one
unmeasured run where there are several.
"""

import json
import platform
import statistics
import sys
import time

try:
    import numpy
    import sklearn
    from threadpoolctl import threadpool_limits
except ImportError as missing:
    json.dump({"unavailable": str(missing)}, sys.stdout)
    sys.exit(0)

from sklearn.dummy import DummyClassifier
from sklearn.ensemble import AdaBoostClassifier, ExtraTreesClassifier, RandomForestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

ESTIMATORS = {
    kind.__name__: kind
    for kind in (
        AdaBoostClassifier,
        DecisionTreeClassifier,
        DummyClassifier,
        ExtraTreesClassifier,
        KNeighborsClassifier,
        RandomForestClassifier,
    )
}


def build(spec):
    if spec["estimator"] not in ESTIMATORS:
        raise ValueError(f"no estimator {spec['estimator']!r}; there are {sorted(ESTIMATORS)}")
    params = {
        key: build(value) if isinstance(value, dict) and "estimator" in value else value
        for key, value in (spec.get("params") or {}).items()
    }
    return ESTIMATORS[spec["estimator"]](**params)


def median_seconds(work, repeats):
    if repeats > 1:
        work()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = work()
        times.append(time.perf_counter() - start)
    return result, statistics.median(times)


def main():
    request = json.load(sys.stdin)
    X, y = numpy.array(request["train"]["X"], float), numpy.array(request["train"]["y"])
    test_X, test_y = numpy.array(request["test"]["X"], float), numpy.array(request["test"]["y"])
    scores = []
    with threadpool_limits(request["threads"]):
        for spec in request["models"]:
            model, fit_seconds = median_seconds(lambda: build(spec).fit(X, y), request["repeats"])
            predictions, predict_seconds = median_seconds(lambda: model.predict(test_X), request["repeats"])
            scores.append(
                {
                    "name": spec["name"],
                    "accuracy": float((predictions == test_y).mean()),
                    "fit_seconds": fit_seconds,
                    "predict_seconds": predict_seconds,
                    "predictions": [int(p) for p in predictions],
                }
            )
    versions = {"python": platform.python_version(), "numpy": numpy.__version__, "scikit-learn": sklearn.__version__}
    json.dump({"versions": versions, "scores": scores}, sys.stdout)


main()
