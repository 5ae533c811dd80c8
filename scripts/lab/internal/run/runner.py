"""Executes one notebook and tells its parent how it goes.

usage: runner.py IN.ipynb OUT.ipynb FOLDER CELL_TIMEOUT START_TIMEOUT

Each line on standard output is a JSON object with an "event". The kernel works
in FOLDER. When standard input ends, the parent is gone or wants an end: the
kernel is killed and so is this program.
"""

import json
import os
import signal
import sys
import threading

kernel_pid = None


def emit(event, **fields):
    sys.stdout.write(json.dumps({"event": event, **fields}) + "\n")
    sys.stdout.flush()


def kill_kernel():
    if kernel_pid is not None:
        try:
            os.killpg(kernel_pid, signal.SIGKILL)
        except OSError:
            pass


def watch_parent():
    try:
        while os.read(0, 1024):
            pass
    finally:
        kill_kernel()
        os._exit(3)


def main(source, target, folder, cell_timeout, start_timeout):
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    nb = nbformat.read(source, as_version=4)
    current = {"cell": -1}

    class Client(NotebookClient):
        async def async_start_new_kernel(self, **kwargs):
            global kernel_pid
            await super().async_start_new_kernel(**kwargs)
            provisioner = getattr(self.km, "provisioner", None)
            kernel_pid = getattr(provisioner, "pid", None)
            emit("kernel", pid=kernel_pid)

    def on_cell_start(cell, cell_index):
        if cell.cell_type == "code":
            current["cell"] = cell_index
            emit("cell", cell=cell_index)

    client = Client(
        nb,
        kernel_name="gonb",
        timeout=int(cell_timeout),
        startup_timeout=int(start_timeout),
        shutdown_kernel="immediate",
        record_timing=False,
        on_cell_start=on_cell_start,
        resources={"metadata": {"path": folder}},
    )
    code = 1
    try:
        client.execute()
        code = 0
        emit("done")
    except CellExecutionError as e:
        emit("failed", kind="error", cell=current["cell"], text=f"{e.ename}: {e.evalue}")
    except CellTimeoutError:
        emit("failed", kind="timeout", cell=current["cell"], text="")
    except DeadKernelError as e:
        emit("failed", kind="died", cell=current["cell"], text=str(e))
    except Exception as e:
        kind = "start" if current["cell"] < 0 else "internal"
        emit("failed", kind=kind, cell=current["cell"], text=f"{type(e).__name__}: {e}")
    nbformat.write(nb, target)
    kill_kernel()
    return code


if __name__ == "__main__":
    threading.Thread(target=watch_parent, daemon=True).start()
    status = main(*sys.argv[1:6])
    sys.stdout.flush()
    os._exit(status)
