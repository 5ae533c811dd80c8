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
// The copy has to be [exercise.Copy] of the worked notebook, whose cells have the same ids;
// what the worked one does not have stays as it is in the copy.
func Source(worked, copied *notebook.Notebook) *notebook.Notebook {
	out := *copied
	out.Cells = nil
	whole := map[string]*notebook.Cell{}
	for _, w := range worked.Cells {
		whole[w.ID] = w
	}
	for _, c := range copied.Cells {
		cell := *c
		if w := whole[c.ID]; w != nil && (w.Metadata["nbgrader"] != nil || w.HasTag(notebook.TagAnswer)) {
			cell.Metadata = maps.Clone(c.Metadata)
			cell.Source, cell.Metadata["mllabs"] = w.Source, map[string]any{copyKey: c.Source}
		}
		out.Cells = append(out.Cells, &cell)
	}
	return &out
}
