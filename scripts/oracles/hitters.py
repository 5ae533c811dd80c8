"""Make datasets/files/Hitters.csv of the values in the Python package ISLP 0.6.0.

    python -m pip download --no-deps ISLP==0.6.0
    python hitters.py islp-0.6.0-py3-none-any.whl

The package, whose licence is BSD-3-Clause, has nine salaries that went through a binary
number of fewer digits, such as 776.6669999999999, and writes whole ones as 475.0. Salaries
are in thousands of dollars, so none has more than three decimals; each is rounded to these
and written without zeros at its end. Nothing else is changed.
"""

import csv
import hashlib
import io
import os
import sys
import zipfile
from decimal import Decimal

PUBLISHED = "ebf7b9dff89366b0544fea09c0ac2df9abdbf5b4ce8d96651316c2c12793d952"
OUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "datasets", "files", "Hitters.csv")


def rounded(salary):
    """The salary with three decimals at most, or "" for one that is missing."""
    return salary and f"{Decimal(salary):.3f}".rstrip("0").rstrip(".")


def main():
    with zipfile.ZipFile(sys.argv[1]) as wheel:
        data = wheel.read("ISLP/data/Hitters.csv")
    if hashlib.sha256(data).hexdigest() != PUBLISHED:
        sys.exit(f"{sys.argv[1]}: its ISLP/data/Hitters.csv is not that of ISLP 0.6.0")
    rows = list(csv.DictReader(io.StringIO(data.decode())))
    with open(OUT, "w", newline="") as f:
        table = csv.DictWriter(f, rows[0], lineterminator="\n")
        table.writeheader()
        table.writerows({**row, "Salary": rounded(row["Salary"])} for row in rows)


if __name__ == "__main__":
    main()
