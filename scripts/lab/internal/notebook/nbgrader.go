package notebook

import (
	"encoding/json"
	"regexp"
	"strconv"
)

var solutionLine = regexp.MustCompile(`(?m)^\s*// BEGIN SOLUTION\s*$`)

// IsSolution says whether a cell holds a worked solution.
func (c *Cell) IsSolution() bool { return c.Type == "code" && solutionLine.MatchString(c.Source) }

// Points are the points that a graded cell gives, as its author writes them:
// "nbgrader": {"points": 3}. Other cells have none.
func (c *Cell) Points() (points int, graded bool) {
	meta, _ := c.Metadata["nbgrader"].(map[string]any)
	value, ok := meta["points"]
	if !ok || c.Type != "code" {
		return 0, false
	}
	switch v := value.(type) {
	case json.Number:
		n, err := strconv.Atoi(v.String())
		return n, err == nil
	case int:
		return v, true
	}
	return 0, false
}

// gradeMetadata fills in what nbgrader's schema 3 wants of graded cells and of
// solutions, so that authors write points and markers only.
func (c *Cell) gradeMetadata() {
	points, graded := c.Points()
	switch {
	case graded:
		c.Metadata["nbgrader"] = map[string]any{"cell_type": "code", "grade": true, "grade_id": c.ID, "locked": true,
			"points": points, "schema_version": 3, "solution": false, "task": false}
	case c.IsSolution():
		if c.Metadata == nil {
			c.Metadata = map[string]any{}
		}
		c.Metadata["nbgrader"] = map[string]any{"cell_type": "code", "grade": false, "grade_id": c.ID, "locked": false,
			"schema_version": 3, "solution": true, "task": false}
	}
}
