"""What nbgrader 0.9.6 needs to know about these notebooks: Go, and how nbkit.Check reports.

nbgrader gives a test cell its full points unless there is an error, text on standard
error, or a value of the type execute_result, which a Go kernel never sends. A check of
nbkit is none of these: it carries its score in a message of a type of its own.
"""

import html
import json
import re

from nbformat.v4 import new_markdown_cell, new_output
from nbgrader import utils
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.preprocessors import ClearHiddenTests, ClearSolutions, NbGraderPreprocessor, OverwriteCells
from nbformat import NotebookNode

SCORE = "application/vnd.mllabs.score+json"

BEGIN_SOLUTION, END_SOLUTION = "// BEGIN SOLUTION", "// END SOLUTION"
BEGIN_HIDDEN, END_HIDDEN = "// BEGIN HIDDEN TESTS", "// END HIDDEN TESTS"


def is_test(cell):
    """Whether a cell checks an exercise: it is graded, and students do not write it."""
    return cell.cell_type == "code" and utils.is_grade(cell) and not utils.is_solution(cell)


def students_copy(cell):
    """The source that students get in place of a cell's, or None where it is the same.

    lab exercises --nbgrader writes it: to take out a hidden test can leave a variable that
    nothing uses, which Go refuses, and a stub names its function.
    """
    return cell.metadata.get("mllabs", {}).get("copy")


def use_copy(cell):
    cell.source = cell.metadata.mllabs.pop("copy")
    if not cell.metadata.mllabs:
        del cell.metadata["mllabs"]


class ClearGoSolutions(ClearSolutions):
    """Puts stubs in place of solutions, and a place to write in place of answers."""

    def preprocess_cell(self, cell, resources, cell_index):
        if students_copy(cell) is None:
            return super().preprocess_cell(cell, resources, cell_index)
        if not is_test(cell):  # ClearGoHiddenTests has those, once they are in the database
            use_copy(cell)
        return cell, resources


class ClearGoHiddenTests(ClearHiddenTests):
    """Takes hidden tests out of the cells that check."""

    def preprocess_cell(self, cell, resources, cell_index):
        if students_copy(cell) is None:
            return super().preprocess_cell(cell, resources, cell_index)
        use_copy(cell)
        return cell, resources


class OverwriteGoCells(OverwriteCells):
    """Puts back what a student has changed or deleted of a test or of a place to write.

    Deleted cells come at the end, where everything that they use is declared. A note before
    them says so in a cell of its own: nbgrader would write it into the cell, as "# ...",
    which is not Go. What the metadata say of a cell is taken from the database, too: nbgrader
    stops at a test that is marked as something else.
    """

    def preprocess_cell(self, cell, resources, cell_index):
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        source = self.gradebook.find_notebook(self.notebook_id, self.assignment_id)
        if name in {c.name for c in source.source_cells}:
            cell.metadata.nbgrader.update(
                grade=name in {c.name for c in source.grade_cells},
                solution=name in {c.name for c in source.solution_cells}, task=False)
        return super().preprocess_cell(cell, resources, cell_index)

    def add_missing_grade_cells(self, nb, resources):
        source = self.gradebook.find_notebook(self.notebook_id, self.assignment_id)
        there = {c.metadata.nbgrader.get("grade_id") for c in nb.cells if "nbgrader" in c.metadata}
        points = {c.name: c.max_score for c in source.grade_cells}
        solutions = {c.name for c in source.solution_cells}
        sources = {c.name: c for c in source.source_cells}
        for name in sorted(set(points) - there):
            self.log.warning("Cell %s was deleted; it is put back at the end", name)
            nb.cells.append(new_markdown_cell(f"*The cell {name} was not in the notebook. It was put back.*"))
            nb.cells.append(put_back(sources[name], points[name], name in solutions))
        return nb, resources


def put_back(source, points, solution):
    cell = NotebookNode(cell_type=source.cell_type, source=source.source, metadata=NotebookNode(
        deletable=False, nbgrader=NotebookNode(
            grade=True, grade_id=source.name, locked=source.locked, checksum=source.checksum,
            cell_type=source.cell_type, points=points, solution=solution)))
    if source.cell_type == "code":
        cell.execution_count, cell.outputs = None, []
    return MetadataValidator().upgrade_cell_metadata(cell)


class ReportScore(NbGraderPreprocessor):
    """Turns the score that a check has sent into the value that nbgrader looks for.

    It runs after Execute. A test cell has one check: where none or several scores came,
    the cell ends in an error, which gives nothing.
    """

    def preprocess_cell(self, cell, resources, cell_index):
        if not is_test(cell):
            return cell, resources
        for output in cell.outputs:
            if output.output_type == "stream":
                output.name = "stdout"  # a stray print to standard error is no failure
        cell.outputs = [o for o in cell.outputs if o.output_type != "execute_result"]
        if any(o.output_type == "error" for o in cell.outputs):
            return cell, resources
        try:
            score = score_of(cell)
        except ValueError as why:
            cell.outputs.append(new_output("error", ename="NotGraded", evalue=str(why), traceback=[f"NotGraded: {why}"]))
            return cell, resources
        points = float(cell.metadata.nbgrader["points"]) * score["passed"] / score["of"]
        cell.outputs.insert(0, new_output("execute_result", data={"text/plain": f"{round(points, 2):g}"}, execution_count=cell.execution_count))
        return cell, resources


def score_of(cell):
    """The one score among a cell's outputs, {"title", "passed", "of", "cases"}."""
    found = [o.data[SCORE] for o in cell.outputs if o.output_type == "display_data" and SCORE in o.data]
    if not found:
        raise ValueError("the check has reported no score: the cell ended before it was done")
    if len(found) > 1:
        raise ValueError(f"the cell has reported {len(found)} scores; a cell has one check")
    try:
        score = json.loads(found[0]) if isinstance(found[0], str) else found[0]
        cases, passed, of = score["cases"], score["passed"], score["of"]
        good = (isinstance(score["title"], str) and of == len(cases) and of > 0 and
                passed == sum(case["passed"] is True for case in cases) and
                all(isinstance(case["name"], str) for case in cases))
    except (ValueError, KeyError, TypeError):
        good = False
    if not good:
        raise ValueError("what the check has reported is no score")
    return score


class HideTests(NbGraderPreprocessor):
    """Leaves of a test cell what students may see: visible cases, and how many of the others passed.

    Of the hidden cases there remains no source, name, message or hint. What the cell
    printed goes as well, since a function can print what it was called with; so does an
    error's text, which may quote the line.

    The cells that check all the work once more go too. They know the visible cases alone,
    so their points would contradict the marks beside them.
    """

    def preprocess(self, nb, resources):
        nb.cells = [cell for cell in nb.cells if cell.get("id") not in ("check-all", "check-all-text")]
        return super().preprocess(nb, resources)

    def preprocess_cell(self, cell, resources, cell_index):
        if not is_test(cell):
            return cell, resources
        cell.source = visible_source(cell.source)
        if any(o.output_type == "error" for o in cell.outputs):
            text = ("This check could not be run to its end: the program did not compile, or it crashed. Run the cell in "
                    "your notebook to see why. If it runs there, a case that your notebook does not show makes it crash.")
            cell.outputs = [new_output("display_data", data={"text/plain": text, "text/html": f"<p>{text}</p>"})]
            return cell, resources
        cell.outputs = [feedback(score_of(cell), cell.source)]
        return cell, resources


def visible_source(source):
    lines, hidden = [], False
    for line in source.split("\n"):
        if line.strip() == BEGIN_HIDDEN:
            hidden = True
        elif line.strip() == END_HIDDEN:
            hidden = False
        elif not hidden:
            lines.append(line)
    return "\n".join(lines)


GO_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"|`[^`]*`')


def literals(source):
    """The texts of the string literals in Go code. (JSON's escapes are those of Go in case names.)"""
    texts = set()
    for literal in GO_STRING.findall(source):
        try:
            texts.add(literal[1:-1] if literal[0] == "`" else json.loads(literal))
        except ValueError:
            pass
    return texts


def feedback(score, source):
    """Shows a score to a student. A case is visible if its name stands in the visible source."""
    shown = literals(source)
    cases = [case for case in score["cases"] if case["name"] in shown]
    others = [case["passed"] for case in score["cases"] if case["name"] not in shown]
    lines = []
    for case in cases:
        line = ("✓ " if case["passed"] else "✗ ") + case["name"]
        if not case["passed"]:
            line += ": " + case.get("message", "")
            if case.get("hint"):
                line += "\nHint: " + case["hint"]
        lines.append(line)
    if others:
        lines.append(f"Of the cases that your notebook does not show, {sum(others)} of {len(others)} passed.")
    title = f"{score['title']}: {score['passed']} of {score['of']} passed"
    items = "".join("<li>" + html.escape(line).replace("\n", "<br>") + "</li>" for line in lines)
    return new_output("display_data", data={
        "text/plain": "\n  ".join([title] + [line.replace("\n", "\n    ") for line in lines]),
        "text/html": f'<div><strong>{html.escape(title)}</strong><ul style="list-style:none">{items}</ul></div>',
    })
