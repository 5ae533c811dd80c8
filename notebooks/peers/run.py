"""Runs a notebook's Python on the notebook's data.

Reads one JSON request from standard input, {"script": ..., "train": {"X": [[...]],
"y": [...]}, "test": {...}}, and runs the script with X_train, y_train, X_test and y_test
as NumPy arrays. What the script prints is the answer. The exit code 3 says that a
package is missing.
"""

import json
import sys

try:
    import numpy
    import sklearn  # noqa: F401, so that it is known to be there
except ImportError as missing:
    print(missing, file=sys.stderr)
    sys.exit(3)

request = json.load(sys.stdin)
names = {"__name__": "__main__"}
for part in ("train", "test"):
    names["X_" + part] = numpy.array(request[part]["X"], float)
    names["y_" + part] = numpy.array(request[part]["y"])
exec(compile(request["script"], "the Python of this cell", "exec"), names)
