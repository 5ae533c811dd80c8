package export

import (
	"fmt"
	"slices"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// isAnswer reports whether a cell is the worked answer to a question: it has the tag
// "answer".
func isAnswer(c *notebook.Cell) bool {
	tags, _ := c.Metadata["tags"].([]any)
	return slices.Contains(tags, any("answer"))
}

// gradedLabel is what stands over a cell that is graded, with its points, or nothing
// for another cell.
func gradedLabel(c *notebook.Cell) string {
	grading, _ := c.Metadata["nbgrader"].(map[string]any)
	if grade, _ := grading["grade"].(bool); !grade {
		return ""
	}
	switch points := fmt.Sprint(grading["points"]); points {
	case "<nil>", "":
		return "Graded check"
	case "1":
		return "Graded check, 1 point"
	default:
		return "Graded check, " + points + " points"
	}
}
