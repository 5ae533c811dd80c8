"""Make the answers that mlcore/neural is tested against, with scikit-learn.

    python neural.py [FOLDER]

writes mlcore/neural/testdata/peers.json: made-up data with the parameters
that networks have after a few epochs from given ones, rows in order; and, of the
data files in FOLDER (by default datasets/files), only the accuracies on test rows
after 20 epochs from five seeds.
"""

import csv
import json
import os
import platform
import sys
import warnings

import numpy as np
import sklearn
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.preprocessing import OneHotEncoder

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
OUT = os.path.join(ROOT, "mlcore", "neural", "testdata", "peers.json")

ROWS, COLUMNS, BATCH = 24, 4, 8


def started(kind, weights):
    """A subclass of kind whose parameters start as given: [W, b] of each layer."""

    class Started(kind):
        def _initialize(self, *args):
            super()._initialize(*args)
            self.coefs_ = [np.array(w) for w, _ in weights]
            self.intercepts_ = [np.array(b) for _, b in weights]

    return Started


def flat(coefs, intercepts):
    """All parameters in the order of neural.Parameters."""
    return np.concatenate([np.concatenate([w.ravel(), b]) for w, b in zip(coefs, intercepts)]).tolist()


def case(rng, name, kind, X, y, outputs, hidden, weights=None, **params):
    sizes = [COLUMNS, *hidden, outputs]
    start = [(np.round(rng.normal(size=(a, b)) * 0.5, 4), np.round(rng.normal(size=b) * 0.5, 4)) for a, b in zip(sizes, sizes[1:])]
    epochs = 4
    model = started(kind, start)(
        hidden_layer_sizes=hidden, batch_size=BATCH, shuffle=False, max_iter=epochs, tol=0, n_iter_no_change=1000, **params
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X, y, sample_weight=weights)
    out = model.predict_proba(X) if kind is MLPClassifier else model.predict(X).reshape(-1, 1)
    return {
        "name": name, "hidden": list(hidden), "params": params, "epochs": epochs, "weighted": weights is not None,
        "start": flat(*zip(*start)), "end": flat(model.coefs_, model.intercepts_),
        "loss": model.loss_curve_, "outputs": out.tolist(),
    }


def cases(rng):
    X = np.round(rng.normal(size=(ROWS, COLUMNS)), 4)
    X[rng.random(X.shape) < 0.2] = 0
    labels = {2: rng.integers(0, 2, ROWS), 3: np.arange(ROWS) % 3}
    target = np.round(np.sin(X[:, 0]) + 0.5 * X[:, 1] ** 2, 4)
    w = np.round(rng.uniform(0.2, 3, ROWS), 3)
    adam = {"solver": "adam", "learning_rate_init": 0.01}
    sgd = {"solver": "sgd", "learning_rate_init": 0.1, "momentum": 0.0, "nesterovs_momentum": False}
    rolling = {"solver": "sgd", "learning_rate_init": 0.05, "momentum": 0.9, "nesterovs_momentum": False}
    nesterov = {**rolling, "nesterovs_momentum": True}
    todo = [
        ("two classes, ReLU, Adam", 2, (5,), {"activation": "relu", "alpha": 0.0, **adam}, None),
        ("two classes, tanh, SGD, L2", 2, (6, 4), {"activation": "tanh", "alpha": 0.8, **sgd}, None),
        ("three classes, ReLU, Adam, L2", 3, (7, 3), {"activation": "relu", "alpha": 0.4, **adam}, None),
        ("three classes, sigmoid, momentum", 3, (9,), {"activation": "logistic", "alpha": 0.0, **rolling}, None),
        ("three classes, tanh, Nesterov, weights", 3, (4,), {"activation": "tanh", "alpha": 0.0, **nesterov}, w),
        ("three classes, linear, SGD", 3, (4,), {"activation": "identity", "alpha": 0.0, **sgd}, None),
        ("regression, ReLU, Adam, weights", 0, (13,), {"activation": "relu", "alpha": 0.0, **adam}, w),
        ("regression, tanh, Nesterov, L2", 0, (8, 8), {"activation": "tanh", "alpha": 0.08, **nesterov}, None),
        ("regression, sigmoid, SGD", 0, (5,), {"activation": "logistic", "alpha": 0.0, **sgd}, None),
    ]
    made = []
    for name, classes, hidden, params, weights in todo:
        if classes == 0:
            made.append({"classes": 0, **case(rng, name, MLPRegressor, X, target, 1, hidden, weights, **params)})
        else:
            outputs = 1 if classes == 2 else classes
            made.append({"classes": classes, **case(rng, name, MLPClassifier, X, labels[classes], outputs, hidden, weights, **params)})
    return {"X": X.tolist(), "labels": {str(k): v.tolist() for k, v in labels.items()}, "target": target.tolist(), "w": w.tolist(), "batch": BATCH, "cases": made}


def read(path, heading=False):
    with open(path, encoding="utf-8", newline="") as f:
        rows = [r for r in csv.reader(f) if r]
    return np.array(rows[1:] if heading else rows)


def accuracies(X, y, test_X, test_y):
    scores = []
    for seed in range(5):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = MLPClassifier(max_iter=20, random_state=seed, tol=0, n_iter_no_change=1000).fit(X, y)
        scores.append(float(model.score(test_X, test_y)))
    return scores


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "datasets", "files")
    made = cases(np.random.default_rng(511))
    letter = read(os.path.join(folder, "letter-recognition.data"))
    X, y = letter[:, 1:].astype(float), letter[:, 0]
    train, test = (read(os.path.join(folder, f"{part}-income_data_nominal_nomissing.csv"), heading=True) for part in ("train", "test"))
    encoder = OneHotEncoder(sparse_output=False, handle_unknown="ignore").fit(train[:, :-1])
    scores = {
        "letter": accuracies(X[:16000], y[:16000], X[16000:], y[16000:]),
        "income": accuracies(encoder.transform(train[:, :-1]), train[:, -1], encoder.transform(test[:, :-1]), test[:, -1]),
    }
    made_by = {"script": "scripts/oracles/neural.py", "python": platform.python_version(), "numpy": np.__version__, "scikit-learn": sklearn.__version__}
    with open(OUT, "w", encoding="utf-8") as f:
        json.dump({"made_by": made_by, "made_up": made, "accuracy": scores}, f, separators=(",", ":"))
        f.write("\n")


if __name__ == "__main__":
    main()
