"""How JupyterLab makes, exports and runs notebooks of this checkout. lab jupyter writes this file."""

import json
import logging
import os
import re
import subprocess
import tempfile

import nbconvert.exporters
from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager
from jupyterlab_code_formatter.formatters import SERVER_FORMATTERS, BaseFormatter
from nbconvert.exporters import Exporter

HERE = os.path.dirname(__file__)
TOOL = os.environ["MLLABS_TOOL"]

c = get_config()  # noqa: F821, which Jupyter defines


class Contents(AsyncLargeFileManager):
    """Begins a new notebook as a copy of new.ipynb, whose cells can be run as they are."""

    async def new(self, model=None, path=""):
        model = dict(model or {})
        if "content" not in model and (model.get("type") == "notebook" or path.endswith(".ipynb")):
            with open(os.path.join(HERE, "new.ipynb"), encoding="utf-8") as file:
                model.update(type="notebook", format="json", content=json.load(file))
        return await super().new(model, path)


c.ServerApp.contents_manager_class = Contents
# The terminal shows the address and what goes wrong.
c.ServerApp.log_level = c.LabApp.log_level = "WARN"
# To run a notebook's cells makes it trusted.
logging.getLogger("ServerApp").addFilter(lambda record: "is not trusted" not in str(record.msg))
# Jupyter's time for an answer to a ping is longer than that between pings, as it has to be; Tornado warns of that.
logging.getLogger("tornado.general").addFilter(lambda record: "websocket_ping_timeout" not in record.getMessage())
c.KernelSpecManager.allowed_kernelspecs = {"gonb"}


class Report(Exporter):
    """Has lab reports write a notebook, which JupyterLab has saved before it asks for an export."""

    options = ()

    def from_notebook_node(self, nb, resources=None, **kw):
        _, resources = super().from_notebook_node(nb, resources, **kw)
        name, folder = resources["metadata"]["name"], resources["metadata"]["path"]
        with tempfile.TemporaryDirectory() as out:
            run = [TOOL, "reports", *self.options, "--out", out, os.path.join(folder, name + ".ipynb")]
            done = subprocess.run(run, cwd=os.environ["MLLABS_ROOT"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            try:
                with open(os.path.join(out, name + self.file_extension), "rb") as file:
                    return file.read(), resources
            except FileNotFoundError:
                raise RuntimeError(done.stdout.decode("utf-8", "replace")) from None


class Page(Report):
    export_from_notebook = "HTML"
    output_mimetype = "text/html"
    file_extension = ".html"
    options = ("--html",)


class PDF(Report):
    export_from_notebook = "PDF"
    output_mimetype = "application/pdf"
    file_extension = ".pdf"


# The menu looks these names up. The exporters that are disabled need Pandoc, LaTeX, Qt or the internet, and
# a script of cells is no Go program.
nbconvert.exporters.HTMLExporter = Page
nbconvert.exporters.PDFExporter = PDF
for name in ("ASCIIDoc", "Latex", "QtPDF", "QtPNG", "RST", "Script", "Slides", "WebPDF"):
    c[name + "Exporter"].enabled = False


class Gofmt(BaseFormatter):
    """Formats the parts of a cell between the lines for the kernel, for a cell is no file of Go."""

    label = "Format with gofmt"
    importable = True

    def format_code(self, code, notebook, **options):
        goroot = subprocess.run(["go", "env", "GOROOT"], capture_output=True, text=True, check=True).stdout.strip()

        def part(text, begin):
            inner = text.strip("\n")
            if not inner.strip():
                return text
            # Empty lines in front let an error name the line of the cell.
            before = code[: begin + text.index(inner)].count("\n")
            gofmt = [os.path.join(goroot, "bin", "gofmt")]
            done = subprocess.run(gofmt, input="\n" * before + inner, capture_output=True, text=True)
            if done.returncode != 0:
                raise ValueError(done.stderr.replace("<standard input>:", "line "))
            return text.replace(inner, done.stdout.strip("\n"))

        formatted, begin = "", 0
        for i, text in enumerate(re.split(r"(?m)^([%!].*)$", code)):
            formatted += text if i % 2 else part(text, begin)
            begin += len(text)
        return formatted


SERVER_FORMATTERS.clear()
SERVER_FORMATTERS["gofmt"] = Gofmt()
