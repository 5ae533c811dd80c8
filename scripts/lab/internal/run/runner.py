"""Executes one notebook and tells its parent how it goes.

usage: runner.py IN.ipynb OUT.ipynb FOLDER CELL_TIMEOUT START_TIMEOUT MAX_TEXT MAX_DATA

Each line on standard output is a JSON object with an "event". The kernel works
in FOLDER. A cell may print MAX_TEXT characters and show figures and tables of
MAX_DATA. When standard input ends, the parent is gone or wants an end: the kernel
is killed and so is this program. With - for OUT.ipynb the notebook goes to file
descriptor 3, and standard input is nobody's: so it is in a sandbox, where all ends at once.
"""

import ctypes
import json
import os
import platform
import re
import secrets
import signal
import sys
import threading
import time

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
    for _ in range(100):  # a process may start another while it is looked at
        if not kill_started():
            break
        time.sleep(0.01)


def adopt():
    """Makes this process the parent of what its descendants leave behind (Linux)."""
    if sys.platform == "linux":
        PR_SET_CHILD_SUBREAPER = 36
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def started():
    """The kernel and what the cells started, also what has left its group.

    A program that has emptied its environment is still a descendant, and one whose
    parents were not adopted still has the mark.
    """
    mark = ("\0MLLABS_RUN=" + os.environ.get("MLLABS_RUN", "") + "\0").encode()
    parents, found = {}, set()
    for pid in filter(str.isdigit, os.listdir("/proc") if os.path.isdir("/proc") else []):
        try:
            with open("/proc/" + pid + "/stat", "rb") as f:
                state, parent = f.read().rpartition(b")")[2].split()[:2]
            if state == b"Z":
                continue
            parents[int(pid)] = int(parent)
            with open("/proc/" + pid + "/environ", "rb") as f:
                if mark in b"\0" + f.read():
                    found.add(int(pid))
        except OSError:
            pass
    for pid in parents:
        above = pid
        while above in parents and above != os.getpid():
            above = parents[above]
        if above == os.getpid():
            found.add(pid)
    return found - {os.getpid()}


def kill_started():
    found = False
    for pid in started():
        try:
            os.kill(pid, signal.SIGKILL)
            found = True
        except OSError:
            pass
    return found


def watch_parent():
    try:
        while os.read(0, 1024):
            pass
    finally:
        kill_kernel()
        os._exit(3)


def waits_for_input():
    """Whether a program of a cell reads what only the kernel could send it.

    The kernel keeps the other end of its programs' standard input open and sends
    nothing, so that they would wait until their time is over. Linux tells a
    process's user which call each of its threads is in.
    """
    read = {"x86_64": "0", "aarch64": "63"}.get(platform.machine())
    if read is None or not os.path.isdir("/proc/self/task"):
        return False
    kernel = "/proc/%d/fd/" % kernel_pid
    pipes = set()
    for fd in os.listdir(kernel):
        try:
            pipes.add(os.readlink(kernel + fd))
        except OSError:
            pass
    for pid in started():
        try:
            if pid == kernel_pid or os.readlink("/proc/%d/fd/0" % pid) not in pipes:
                continue
            for task in os.listdir("/proc/%d/task" % pid):
                with open("/proc/%d/task/%s/syscall" % (pid, task)) as f:
                    if f.read().split()[:2] == [read, "0x0"]:
                        return True
        except OSError:
            pass
    return False


def processor_time():
    """The seconds of processor time of the kernel and of what the cells started, so far.

    That of the dead counts once their parent has waited for them. None where there is
    no /proc.
    """
    if not os.path.isdir("/proc/self/task"):
        return None
    ticks = 0
    for pid in started():
        try:
            with open("/proc/%d/stat" % pid, "rb") as f:
                ticks += sum(map(int, f.read().rpartition(b")")[2].split()[11:15]))
        except OSError:
            pass
    return ticks / os.sysconf("SC_CLK_TCK")


class Stopwatch:
    """Tells when a cell has had its time.

    That is when both the clock and the processor time of what it started say so: on a
    busy machine a cell takes longer, but not more work. One that waits for what never
    comes does no work: it has had its time, too, once it has used less than a hundredth
    of a processor for as long.
    """

    def __init__(self, limit):
        self.limit = limit
        self.turn, self.used = None, 0.0

    def over(self, turn, now, used):
        """Whether the cell of this turn, None between cells, has had its time."""
        self.used = max(self.used, used)  # what a process used may go with it
        if turn != self.turn:
            self.turn = turn
            self.start = self.since = (now, self.used)
        if turn is None:
            return False
        if min(now - self.start[0], self.used - self.start[1]) > self.limit:
            return True
        waited = now - self.since[0]
        if waited <= self.limit:
            return False
        if self.used - self.since[1] < waited / 100:
            return True
        self.since = (now, self.used)
        return False


class Left(Exception):
    """The program of a cell ended before its last statement."""


# What the program of a cell prints to standard error at its end, and nobody sees.
farewell = "mllabs-" + secrets.token_hex(16) + "\n"
says_farewell = "defer print(%s); " % json.dumps(farewell)


def with_farewell(code):
    """A cell's code whose program says that it has come to the end of main.

    It does so when main returns, wherever that is, but not when something else ends
    the program: syscall.Exec or a system call would end it without an error. The
    statement goes before the first of the cell, into its line, so that those in
    messages are as they were. None for a cell without statements.
    """
    lines = code.split("\n")
    for i, line in enumerate(lines):
        if not re.match(r"%%|%main\b", line):
            continue
        for k in range(i + 1, len(lines)):
            if lines[k].strip() and not lines[k].startswith(("%", "!")):
                lines[k] = says_farewell + lines[k]
                return "\n".join(lines)
    return None


def take_farewell(outputs):
    """Takes the farewell out of a cell's outputs, and says whether it was there.

    It may be in pieces, with standard output between them.
    """
    errors = [o for o in outputs if o.output_type == "stream" and o.name == "stderr"]
    start = "".join(o.text for o in errors).rfind(farewell)
    if start < 0:
        return False
    end = start + len(farewell)
    for o in errors:
        n = len(o.text)
        o.text = o.text[: max(start, 0)] + o.text[max(end, 0) :]
        start, end = start - n, end - n
    merged = []
    for o in outputs:
        if o.output_type == "stream" and not o.text:
            continue
        if merged and o.output_type == merged[-1].output_type == "stream" and o.name == merged[-1].name:
            merged[-1].text += o.text
        else:
            merged.append(o)
    outputs[:] = merged
    return True


def size(value):
    """The number of characters in a piece of an output."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return sum(map(size, value.values()))
    if isinstance(value, list):
        return sum(map(size, value))
    return 1


def main(source, target, folder, cell_timeout, start_timeout, max_text, max_data):
    # nbformat brings jsonschema, which would take this package along and with it two
    # seconds to make a grammar of IRIs; a notebook has none to be checked.
    sys.modules["rfc3987_syntax"] = None
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    nb = nbformat.read(source, as_version=4)
    current = {"cell": -1, "farewell": False, "turn": None}
    limits = {"text": int(max_text), "data": int(max_data)}
    seen = {"text": 0, "data": 0}

    ending = threading.Lock()

    def end(status, **last):
        """Ends the run with one last event: the first that comes here, in any thread.

        Without this, the end of a kernel that is killed because its time is over would
        be told as a second event, of a kernel that died.
        """
        ending.acquire()  # and never released
        emit(**last)
        if target == "-":
            with open(3, "w", encoding="utf-8") as f:
                nbformat.write(nb, f)
        else:
            nbformat.write(nb, target)
        kill_kernel()
        sys.stdout.flush()
        os._exit(status)

    class Client(NotebookClient):
        async def async_start_new_kernel(self, **kwargs):
            global kernel_pid
            await super().async_start_new_kernel(**kwargs)
            provisioner = getattr(self.km, "provisioner", None)
            kernel_pid = getattr(provisioner, "pid", None)
            emit("kernel", pid=kernel_pid)

        async def async_start_new_kernel_client(self):
            client = await super().async_start_new_kernel_client()
            execute = client.execute

            def execute_with_farewell(code, **kwargs):
                # A print of the notebook's own would not be Go's.
                other = re.compile(r"\bfunc print\(|\bprint\s*:?=")
                longer = with_farewell(code)
                if any(other.search(c.source) for c in nb.cells if c.cell_type == "code"):
                    longer = None
                # The compiler's message would name another column.
                tags = nb.cells[current["cell"]].metadata.get("tags", [])
                if "raises-exception" in tags:
                    longer = None
                current["farewell"] = longer is not None
                return execute(longer or code, **kwargs)

            client.execute = execute_with_farewell
            return client

        def process_message(self, msg, cell, cell_index):
            """Ends the run at once if there is too much output: the kernel has
            no limit of its own, and would be listened to until its last word.
            """
            content = msg["content"]
            for key, value in content.items():  # a message of the compiler shows the line
                if isinstance(value, str):
                    content[key] = value.replace(says_farewell, "")
                elif key == "traceback":
                    content[key] = [line.replace(says_farewell, "") for line in value]
            kind, n = "data", size(content.get("data"))
            if msg["msg_type"] in ("stream", "error"):
                kind, n = "text", size(content)
            if msg["msg_type"] == "update_display_data":  # it replaces what was there
                too_much = n > limits[kind]
            else:
                seen[kind] += n
                too_much = seen[kind] > limits[kind]
            if too_much:
                end(1, event="failed", kind="output", cell=cell_index, text=kind)
            return super().process_message(msg, cell, cell_index)

    def on_cell_executed(cell, cell_index, execute_reply):
        current["turn"] = None
        there = take_farewell(cell.outputs)
        if current["farewell"] and not there and execute_reply["content"]["status"] == "ok":
            raise Left

    def on_cell_start(cell, cell_index):
        if cell.cell_type == "code":
            current["cell"] = current["turn"] = cell_index
            seen.update(text=0, data=0)
            emit("cell", cell=cell_index)

    client = Client(
        nb,
        kernel_name="gonb",
        timeout=None if processor_time() is not None else int(cell_timeout),
        startup_timeout=int(start_timeout),
        # What a cell has printed may arrive after it has ended. By default nbclient
        # waits 4 seconds for it and then drops the rest without a word. Nobody works
        # meanwhile but the kernel, which has it all: the clock may judge.
        iopub_timeout=int(cell_timeout),
        raise_on_iopub_timeout=True,
        shutdown_kernel="immediate",
        record_timing=False,
        on_cell_start=on_cell_start,
        on_cell_executed=on_cell_executed,
        resources={"metadata": {"path": folder}},
    )

    def watch_input():
        times = 0
        while times < 3:
            time.sleep(0.5)
            try:
                times = times + 1 if kernel_pid and waits_for_input() else 0
            except OSError:  # the kernel is gone
                times = 0
        end(1, event="failed", kind="input", cell=current["cell"], text="")

    def watch_time():
        watch = Stopwatch(int(cell_timeout))
        while (used := processor_time()) is not None:
            if watch.over(current["turn"], time.monotonic(), used):
                end(1, event="failed", kind="timeout", cell=current["cell"], text="")
            time.sleep(min(1, watch.limit / 10))

    threading.Thread(target=watch_input, daemon=True).start()
    threading.Thread(target=watch_time, daemon=True).start()
    failed = {"event": "failed", "text": ""}
    try:
        client.execute()
    except CellExecutionError as e:
        failed.update(kind="error", text=f"{e.ename}: {e.evalue}")
    except Left:
        failed.update(kind="left")
    except CellTimeoutError as e:
        failed.update(kind="late" if "The message was: Timeout waiting for IOPub" in str(e) else "timeout")
    except DeadKernelError as e:
        failed.update(kind="died", text=str(e))
    except Exception as e:
        failed.update(kind="start" if current["cell"] < 0 else "internal", text=f"{type(e).__name__}: {e}")
    else:
        end(0, event="done")
    end(1, cell=current["cell"], **failed)


if __name__ == "__main__":
    adopt()
    if sys.argv[2] != "-":
        threading.Thread(target=watch_parent, daemon=True).start()
    main(*sys.argv[1:8])
