"""Make the answers that mlcore/metrics is tested against, with scikit-learn.

    python metrics.py

writes mlcore/metrics/testdata/peers.json. Data are made up here and stored
with the answers, null for NaN and for infinity. Scores have ties, other than those
of the top k, which are broken differently; weights have zeros. What scikit-learn replaces when it is 0/0 is asked for as NaN wherever there
is an option for it.
"""

import json
import os
import platform
import warnings

import numpy as np
import sklearn
from sklearn import metrics as m
from sklearn.calibration import calibration_curve

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
OUT = os.path.join(ROOT, "mlcore", "metrics", "testdata", "peers.json")


def plain(v):
    if isinstance(v, dict):
        return {k: plain(x) for k, x in v.items()}
    if isinstance(v, (list, tuple, np.ndarray)):
        return [plain(x) for x in v]
    if isinstance(v, (float, np.floating)):
        return float(v) if np.isfinite(v) else None
    return int(v) if isinstance(v, np.integer) else v


def confusion(truth, predicted, classes, w):
    labels = list(range(classes))
    out = {
        "counts": m.confusion_matrix(truth, predicted, labels=labels, sample_weight=w),
        "by_true": m.confusion_matrix(truth, predicted, labels=labels, sample_weight=w, normalize="true"),
        "by_predicted": m.confusion_matrix(truth, predicted, labels=labels, sample_weight=w, normalize="pred"),
        "by_all": m.confusion_matrix(truth, predicted, labels=labels, sample_weight=w, normalize="all"),
        "per_class_counts": m.multilabel_confusion_matrix(truth, predicted, labels=labels, sample_weight=w).reshape(classes, 4),
        "accuracy": m.accuracy_score(truth, predicted, sample_weight=w),
        "error": m.zero_one_loss(truth, predicted, sample_weight=w),
        "balanced_accuracy": m.balanced_accuracy_score(truth, predicted, sample_weight=w),
        "kappa": m.cohen_kappa_score(truth, predicted, labels=labels, sample_weight=w),
        "kappa_linear": m.cohen_kappa_score(truth, predicted, labels=labels, weights="linear", sample_weight=w),
        "kappa_quadratic": m.cohen_kappa_score(truth, predicted, labels=labels, weights="quadratic", sample_weight=w),
        "matthews": m.matthews_corrcoef(truth, predicted, sample_weight=w),
        "averages": {},
    }
    for average in (None, "macro", "weighted", "micro"):
        for beta in (1, 0.5, 2):
            # With NaN for 0/0 scikit-learn leaves the class out of averages.
            for rule, zero in (("zero", 0), ("left_out", np.nan)):
                out["averages"][f"{average} {beta} {rule}"] = m.precision_recall_fscore_support(
                    truth, predicted, labels=labels, beta=beta, average=average, zero_division=zero, sample_weight=w
                )[:3]
    return out


def binary(truth, score, prob, w):
    fpr, tpr, thresholds = m.roc_curve(truth, score, drop_intermediate=False, sample_weight=w)
    precision, recall, cuts = m.precision_recall_curve(truth, score, sample_weight=w)
    return {
        "fpr": fpr, "tpr": tpr, "roc_thresholds": thresholds,
        "roc_auc": m.roc_auc_score(truth, score, sample_weight=w),
        "precision": precision, "recall": recall, "pr_thresholds": cuts,
        "average_precision": m.average_precision_score(truth, score, sample_weight=w),
        "log_loss": m.log_loss(truth, prob, sample_weight=w),
        "brier": m.brier_score_loss(truth, prob, sample_weight=w),
    }


def multiclass(truth, proba, w):
    labels = list(range(proba.shape[1]))
    out = {
        "log_loss": m.log_loss(truth, proba, sample_weight=w),
        "brier": m.brier_score_loss(truth, proba, sample_weight=w, scale_by_half=False),
        "top_k": [m.top_k_accuracy_score(truth, proba, k=k, labels=labels, sample_weight=w) for k in labels[1:]],
        "ovr": m.roc_auc_score(truth, proba, multi_class="ovr", average=None, sample_weight=w),
        "ovr_macro": m.roc_auc_score(truth, proba, multi_class="ovr", average="macro", sample_weight=w),
        "ovr_weighted": m.roc_auc_score(truth, proba, multi_class="ovr", average="weighted", sample_weight=w),
    }
    if w is None:
        out["ovo_macro"] = m.roc_auc_score(truth, proba, multi_class="ovo", average="macro")
        out["ovo_weighted"] = m.roc_auc_score(truth, proba, multi_class="ovo", average="weighted")
    return out


def on_rows():
    """61 probabilities, so that quantiles of these numbers of bins fall on rows:
    to which side of a border its row goes is then a matter of rounding."""
    n = np.arange(61)
    return n % 3 % 2, np.round((n + 0.5) / 61, 3), (3, 5, 6, 10, 12, 15, 20, 60)


def regression(truth, predicted, w):
    return {
        "mse": m.mean_squared_error(truth, predicted, sample_weight=w),
        "rmse": m.root_mean_squared_error(truth, predicted, sample_weight=w),
        "mae": m.mean_absolute_error(truth, predicted, sample_weight=w),
        "median_ae": m.median_absolute_error(truth, predicted, sample_weight=w),
        "r2": m.r2_score(truth, predicted, sample_weight=w, force_finite=False),
        "max_error": m.max_error(truth, predicted),
    }


def main():
    rng = np.random.default_rng(20267)
    n = 80
    w = np.round(rng.exponential(size=n), 3)
    w[rng.random(n) < 0.1] = 0

    # Class 4 occurs but is never predicted, class 5 is predicted but never occurs.
    truth = rng.choice(5, n, p=[0.4, 0.25, 0.15, 0.1, 0.1])
    predicted = np.where(rng.random(n) < 0.6, truth, rng.choice(4, n))
    predicted[truth == 4] = 0
    predicted[::20] = 5
    full = rng.choice(3, n), rng.choice(3, n)
    full = full[0], np.where(rng.random(n) < 0.5, full[0], full[1])

    is_one = (rng.random(n) < 0.4).astype(int)
    prob = 1 / (1 + np.exp(-(rng.normal(size=n) + 1.5 * is_one - 0.7)))
    prob = np.round(prob, 2)  # ties
    prob[[0, 1]] = 0, 1
    score = np.round(rng.normal(size=n) + is_one, 1)

    classes = rng.choice(4, n)
    proba = rng.dirichlet([0.7] * 4, n) + 0.4 * np.eye(4)[classes]
    proba /= proba.sum(axis=1, keepdims=True)
    proba[0] = np.roll([0, 0.5, 0.375, 0.125], classes[0])  # 0 for the true class: clipped

    target = np.round(rng.normal(size=n) * 10, 3)
    forecast = np.round(target + rng.normal(size=n) * 4, 3)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        out = {
            "made_by": "scripts/oracles/metrics.py",
            "versions": {"python": platform.python_version(), "scikit-learn": sklearn.__version__, "numpy": np.__version__},
            "weights": w,
            "confusion": [
                {"name": name, "truth": t, "predicted": p, "classes": k, "weighted": weights is not None, "answers": confusion(t, p, k, weights)}
                for name, t, p, k in (("gaps", truth, predicted, 6), ("full", *full, 3))
                for weights in (None, w)
            ],
            "binary": {
                "truth": is_one, "score": score, "prob": prob,
                "plain": binary(is_one, score, prob, None), "weighted": binary(is_one, score, prob, w),
            },
            "calibration": [
                {"truth": t, "prob": p, "bins": bins, "strategy": strategy, "curve": calibration_curve(t, p, n_bins=bins, strategy=strategy)}
                for strategy, sets in (("uniform", [(is_one, prob, (1, 5, 7, 10, 40))]), ("quantile", [(is_one, prob, (1, 5, 7, 10, 40)), on_rows()]))
                for t, p, several in sets
                for bins in several
            ],
            "multiclass": {
                "truth": classes, "proba": proba,
                "plain": multiclass(classes, proba, None), "weighted": multiclass(classes, proba, w),
            },
            "regression": {
                "truth": target, "predicted": forecast,
                "plain": regression(target, forecast, None), "weighted": regression(target, forecast, w),
                "odd": regression(target[:-1], forecast[:-1], None),
            },
        }
    with open(OUT, "w") as f:
        json.dump(plain(out), f, allow_nan=False)
        f.write("\n")


if __name__ == "__main__":
    main()
