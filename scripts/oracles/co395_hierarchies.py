"""What SciPy and scikit-learn say in the checks of notebooks/co395/11_hierarchies_and_stability.

    python co395_hierarchies.py

prints the merges and the clusters of its six points and of its points on a line by four
linkages, the adjusted Rand indices of its samples on the rows that they share, and how
many times as high as the merge before the last one is, for the irises and without groups.
"""

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from sklearn.datasets import load_iris
from sklearn.metrics import adjusted_rand_score

SIX = np.array([[0, 0], [1.1, 0], [2.4, 0], [3.9, 0.2], [6, 3], [6.4, 3.6]])
LINE = np.array([[9], [0], [4.1], [1.5], [4.9], [1.8]])

# (rows of sample A, their groups, rows of sample B, their groups)
SAMPLES = [
    ([0, 2, 3, 5, 7, 8], [0, 0, 1, 1, 2, 2], [0, 1, 2, 3, 5, 8], [2, 1, 2, 0, 0, 1]),
    ([0, 1, 2, 3, 4, 5], [0, 0, 0, 1, 1, 1], [5, 0, 3, 1, 4, 2], [0, 1, 0, 1, 0, 1]),
    ([0, 1, 2, 3, 4, 6, 7], [0, 0, 0, 1, 1, 1, 0], [0, 1, 2, 3, 4, 8, 9], [0, 0, 1, 1, 1, 0, 1]),
    ([1, 3, 5, 7], [0, 0, 1, 1], [1, 3, 5, 7], [0, 1, 0, 1]),
    ([4, 1, 7, 2, 9, 3], [2, 0, 2, 0, 1, 1], [9, 2, 3, 1, 6, 4], [0, 0, 0, 1, 1, 1]),
]


def by_first_row(labels):
    order = list(dict.fromkeys(labels))
    return [order.index(k) for k in labels]


def main():
    for name, X in (("six points", SIX), ("a line", LINE), ("rows 3, 4, 5", SIX[3:])):
        for how in ("single", "complete", "average", "ward"):
            Z = linkage(X, how)
            print(name, how, "distances", Z[:, 2].round(6).tolist())
            for k in (2, 3):
                print("  ", k, "clusters", by_first_row(fcluster(Z, k, "maxclust").tolist()))
    for rows_a, a, rows_b, b in SAMPLES:
        in_a, in_b = dict(zip(rows_a, a)), dict(zip(rows_b, b))
        shared = sorted(in_a.keys() & in_b.keys())
        index = adjusted_rand_score([in_a[r] for r in shared], [in_b[r] for r in shared])
        print("shared rows", shared, "adjusted Rand index", index)
    X, rng = load_iris().data, np.random.default_rng(1)
    sets = [rng.uniform(X.min(0), X.max(0), X.shape) for _ in range(200)]
    last = [Z[-1, 2] / Z[-2, 2] for Z in (linkage(data, "ward") for data in [X, *sets])]
    print("the last merge over the one before: irises", last[0], "others", min(last[1:]), "to", max(last[1:]))


if __name__ == "__main__":
    main()
