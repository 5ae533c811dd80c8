"""Tells how long the kernel takes before the programs of cells run.

usage: cells.py FOLDER < SOURCES

SOURCES is a JSON list of the cells of a notebook that lies in FOLDER. For each cell
there is one line of JSON: the seconds from the request until its program starts,
which the kernel notes in its log, null where a cell has none, or "failed" where it
does not compile. The program is
interrupted as soon as it has begun: what the cell declares is known by then.
"""

import json
import os
import queue
import subprocess
import sys
import threading
import time

from jupyter_client.manager import KernelManager

PATIENCE = 120  # seconds that a cell may take to be compiled


def main(folder):
    sources = json.load(sys.stdin)
    started = threading.Event()
    moment = [0.0]

    def follow(log):
        for line in log:
            if b"Executing: " in line and b"/gonb_" in line:
                moment[0] = time.monotonic()
                started.set()

    manager = KernelManager(kernel_name="gonb")
    read, write = os.pipe()
    manager.start_kernel(cwd=folder, stderr=write, stdout=subprocess.DEVNULL)
    os.close(write)
    threading.Thread(target=follow, args=(os.fdopen(read, "rb"),), daemon=True).start()
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=60)
        for source in sources:
            started.clear()
            begin = time.monotonic()
            failed = False
            request = client.execute(source, stop_on_error=False)
            while True:
                if started.is_set():
                    # Again and again, for it does nothing just before the program starts.
                    manager.interrupt_kernel()
                try:
                    message = client.get_iopub_msg(timeout=0.02)
                except queue.Empty:
                    if not started.is_set() and time.monotonic() - begin > PATIENCE:
                        sys.exit("a cell was not compiled after %d seconds" % PATIENCE)
                    continue
                if message["parent_header"].get("msg_id") != request:
                    continue
                failed = failed or message["msg_type"] == "error"
                if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                    break
            seconds = moment[0] - begin if started.is_set() else "failed" if failed else None
            print(json.dumps(seconds), flush=True)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


main(sys.argv[1])
