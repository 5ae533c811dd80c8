package nbgrader

import (
	"maps"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// copyKey is the key, in a cell's metadata below "mllabs", of what students get in place of
// the cell. mllabs_nbgrader.py reads it.
const copyKey = "copy"

// Source is the notebook that nbgrader makes its assignment of: the students' copy, but with
// solutions, answers and whole checks in their cells, as nbgrader wants it. What students
// get in their place stands in these cells' metadata, because nbgrader can only take lines
// out: a check without its hidden cases may then have a variable that nothing uses.
//
// The copy has to be [exercise.Copy] of the worked notebook, cell by cell.
func Source(worked, copied *notebook.Notebook) *notebook.Notebook {
	out := *copied
	out.Cells = nil
	for i, c := range copied.Cells {
		cell, w := *c, worked.Cells[i]
		if _, graded := w.Metadata["nbgrader"]; graded || w.HasTag(notebook.TagAnswer) {
			cell.Metadata = maps.Clone(c.Metadata)
			cell.Source, cell.Metadata["mllabs"] = w.Source, map[string]any{copyKey: c.Source}
		}
		out.Cells = append(out.Cells, &cell)
	}
	return &out
}
