package notebook

import (
	"encoding/json"
	"regexp"
	"strconv"
)

// The lines that mark what students do not get.
const (
	BeginSolution = "// BEGIN SOLUTION"
	EndSolution   = "// END SOLUTION"
	BeginHidden   = "// BEGIN HIDDEN TESTS"
	EndHidden     = "// END HIDDEN TESTS"
)

var solutionLine = regexp.MustCompile(`(?m)^\s*` + BeginSolution + `\s*$`)

// IsSolution says whether a cell holds a worked solution.
func (c *Cell) IsSolution() bool { return c.Type == "code" && solutionLine.MatchString(c.Source) }

// Points are the points that a cell which checks an exercise gives, as its author writes
// them: "nbgrader": {"points": 3}. Other cells have none.
func (c *Cell) Points() (points int, graded bool) {
	// In a copy an answer has no tag, but it still is what students write.
	if meta, _ := c.Metadata["nbgrader"].(map[string]any); c.Type != "code" || c.HasTag(TagAnswer) || meta["solution"] == true {
		return 0, false
	}
	return c.points()
}

// AnswerPoints are the points that somebody gives by hand for what students write in place
// of a worked answer. Its author writes them like those of a check.
func (c *Cell) AnswerPoints() (points int, graded bool) {
	if !c.HasTag(TagAnswer) {
		return 0, false
	}
	return c.points()
}

func (c *Cell) points() (points int, graded bool) {
	meta, _ := c.Metadata["nbgrader"].(map[string]any)
	switch v := meta["points"].(type) {
	case json.Number:
		n, err := strconv.Atoi(v.String())
		return n, err == nil
	case int:
		return v, true
	}
	return 0, false
}

// gradeMetadata fills in what nbgrader's schema 3 wants of graded cells, of solutions and
// of answers that somebody grades, so that authors write points and markers only.
func (c *Cell) gradeMetadata() {
	points, graded := c.Points()
	answerPoints, byHand := c.AnswerPoints()
	switch {
	case byHand:
		c.Metadata["nbgrader"] = map[string]any{"cell_type": c.Type, "grade": true, "grade_id": c.ID, "locked": false,
			"points": answerPoints, "schema_version": 3, "solution": true, "task": false}
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
