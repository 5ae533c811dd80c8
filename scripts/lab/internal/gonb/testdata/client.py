"""Runs cells with the kernel as JupyterLab does, and prints what came of each as JSON.

Standard input holds steps as JSON, one after the other: an object with the cells of "run", which are sent
together, and "interrupt", the text of an output at which the kernel is interrupted (optional). The client answers a
request for input with "typed".
"""

import json
import queue
import re
import sys
import threading
import time

from jupyter_client.manager import start_new_kernel

steps = json.load(sys.stdin)
manager, client = start_new_kernel(kernel_name="gonb", startup_timeout=300)
answers = []


def plain(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def interrupt():
    threading.Thread(target=manager.interrupt_kernel).start()


for step in steps:
    cells = {}
    for code in step["run"]:
        cells[client.execute(code, allow_stdin=True, stop_on_error=step.get("stop", True))] = {"outputs": [], "status": "", "messages": 0}
    waiting, end = set(cells), time.monotonic() + 300
    while waiting:
        try:
            if client.get_stdin_msg(timeout=0):
                client.input("typed")
        except queue.Empty:
            pass
        try:
            message = client.get_iopub_msg(timeout=0.2)
        except queue.Empty:
            if time.monotonic() > end:
                raise
            continue
        cell = cells.get(message["parent_header"].get("msg_id"))
        if cell is None:
            continue
        content, outputs = message["content"], cell["outputs"]
        text = None
        match message["msg_type"]:
            case "status":
                if content["execution_state"] == "idle":
                    waiting.discard(message["parent_header"]["msg_id"])
            case "stream":
                cell["messages"] += 1
                text = content["text"]
                if outputs and outputs[-1][0] == content["name"]:
                    outputs[-1][1] += text
                else:
                    outputs.append([content["name"], text])
            case "display_data" | "update_display_data":
                text = content["data"].get("text/plain") or content["data"].get("text/html")
                outputs.append(["display", text])
            case "error":
                text = "\n".join(content["traceback"])
                outputs.append(["error", plain(text)])
                cell["name"], cell["value"] = content["ename"], plain(content["evalue"])
        if text and step.get("interrupt") and step["interrupt"] in text:
            step["interrupt"] = None
            interrupt()
    for _ in cells:
        reply = client.get_shell_msg(timeout=300)
        cells[reply["parent_header"]["msg_id"]]["status"] = reply["content"]["status"]
    for cell in cells.values():
        for output in cell["outputs"]:
            output[1] = plain(output[1])
    answers.append(list(cells.values()))

peak = 0
try:
    with open("/proc/%d/status" % manager.provisioner.pid) as f:
        peak = int(re.search(r"VmHWM:\s+(\d+)", f.read())[1]) << 10
except OSError:
    pass
json.dump({"steps": answers, "peak": peak}, sys.stdout)
manager.shutdown_kernel(now=not manager.is_alive())
