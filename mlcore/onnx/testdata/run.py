"""Runs ONNX files with ONNX Runtime.

For each line of the standard input, the name of a folder, reads cases.json there, a list of
cases: the name of a file, and its inputs. Writes answers.json: for each case what the file
says of itself, and the outputs or the error of the run. Numbers travel as the base64 of
little-endian doubles, so that bits stay. Prints a line at the start and for each folder, a
string of JSON: empty, or what went wrong.
"""

import base64
import json
import pathlib
import sys
import traceback

import numpy as np
import onnx
import onnxruntime


def array(tensor):
    if tensor["strings"] is not None:
        return np.array(tensor["strings"], dtype=object).reshape(tensor["shape"])
    return np.frombuffer(base64.b64decode(tensor["doubles"]), dtype="<f8").reshape(tensor["shape"])


def tensor(a):
    if a.dtype == np.int64 or a.dtype == np.float64:
        text = base64.b64encode(np.ascontiguousarray(a, dtype="<f8").tobytes()).decode()
        return {"type": a.dtype.name, "shape": a.shape, "doubles": text, "strings": None}
    return {"type": "string", "shape": a.shape, "strings": [str(s) for s in a.ravel()], "doubles": ""}


def run(folder, case):
    path = folder / case["file"]
    # Also infers the types and shapes of all tensors.
    onnx.checker.check_model(str(path), full_check=True)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4  # errors come back; they need not be printed too
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    names = [o.name for o in session.get_outputs()]
    meta = session.get_modelmeta()
    about = dict(meta.custom_metadata_map, producer=meta.producer_name, graph=meta.graph_name)
    about["inputs"] = json.dumps({i.name: [i.type, *i.shape] for i in session.get_inputs()})
    try:
        outputs = session.run(names, {name: array(t) for name, t in case["inputs"].items()})
    except Exception as error:
        return {"about": about, "error": str(error)}
    return {"about": about, "outputs": {name: tensor(a) for name, a in zip(names, outputs)}}


def answer(folder):
    answers = [run(folder, case) for case in json.loads((folder / "cases.json").read_text())]
    versions = {"onnx": onnx.__version__, "onnxruntime": onnxruntime.__version__}
    (folder / "answers.json").write_text(json.dumps({"versions": versions, "answers": answers}))


print(json.dumps(""), flush=True)
for line in sys.stdin:
    wrong = ""
    try:
        answer(pathlib.Path(line.rstrip("\n")))
    except Exception:
        wrong = traceback.format_exc()
    print(json.dumps(wrong), flush=True)
