"""nbgrader's settings for notebooks of mllabs.

lab nbgrader has Jupyter find this file. The nbgrader_config.py of a course's own folder is
read after it, and may set anything again.
"""

from mllabs_nbgrader import (
    BEGIN_HIDDEN, BEGIN_SOLUTION, END_HIDDEN, END_SOLUTION,
    ClearGoHiddenTests, ClearGoSolutions, HideTests, OverwriteGoCells, ReportScore,
)
from nbconvert.preprocessors import ClearMetadataPreprocessor, CSSHTMLHeaderPreprocessor
from nbgrader.preprocessors import (
    AssignLatePenalties, CheckCellMetadata, ClearOutput, ComputeChecksums, DeduplicateIds, Execute, GetGrades,
    IgnorePattern, IncludeHeaderFooter, LimitOutput, LockCells, OverwriteKernelspec, SaveAutoGrades, SaveCells,
)

c = get_config()  # noqa: F821: traitlets gives it to the file

c.ClearSolutions.code_stub = {"go": '// YOUR CODE HERE\npanic("not implemented")'}
c.ClearSolutions.text_stub = "*Write your answer here.*"
c.ClearSolutions.begin_solution_delimeter = BEGIN_SOLUTION
c.ClearSolutions.end_solution_delimeter = END_SOLUTION
c.ClearHiddenTests.begin_test_delimeter = BEGIN_HIDDEN
c.ClearHiddenTests.end_test_delimeter = END_HIDDEN
c.OverwriteCells.add_missing_cells = True

# Seconds for a cell: a check gives up a case that never ends after ten, any other cell goes
# on until this. They are of the clock, for nbgrader knows no other; where marks must not
# hang on how busy a machine is, lab grade measures processor time.
c.Execute.timeout = 60
# The kernel notes every cell that it runs; nbgrader's own lines would drown.
c.Execute.extra_arguments = ["-logtostderr=false", "-log_file=/dev/null", "-stderrthreshold=FATAL"]

c.GenerateAssignment.preprocessors = [
    IncludeHeaderFooter, LockCells, ClearGoSolutions, ClearOutput, CheckCellMetadata, ComputeChecksums, SaveCells,
    ClearGoHiddenTests, ComputeChecksums, CheckCellMetadata,
]
c.Autograde.sanitize_preprocessors = [ClearOutput, DeduplicateIds, OverwriteKernelspec, OverwriteGoCells, CheckCellMetadata]
c.Autograde.autograde_preprocessors = [
    Execute, ReportScore, IgnorePattern, ClearMetadataPreprocessor, LimitOutput, SaveAutoGrades, AssignLatePenalties,
    CheckCellMetadata,
]
c.GenerateFeedback.preprocessors = [GetGrades, HideTests, CSSHTMLHeaderPreprocessor]
