package exercise

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// A region is what stands between two markers: the lines after First and before Last,
// which are the markers themselves, counted from 0.
type region struct {
	First, Last int
	Hidden      bool // tests, not a solution
}

// almostMarker finds comments that were meant as markers, wherever on a line they begin.
var almostMarker = regexp.MustCompile(`(?i)(//|#|/\*).*\b(BEGIN|END)[\s\p{Z}_-]+(SOLUTIONS?|HIDDEN)\b`)

// regions finds the marked regions of a cell's source. Whatever is wrong with a
// marker is an error, because what it should hide would be handed out.
func regions(source string) ([]region, error) {
	var found []region
	open := -1
	hidden := false
	for i, line := range strings.Split(source, "\n") {
		marker := strings.TrimSpace(line)
		begins := marker == notebook.BeginSolution || marker == notebook.BeginHidden
		switch ends := marker == notebook.EndSolution || marker == notebook.EndHidden; {
		case begins && open >= 0:
			return nil, fmt.Errorf("line %d: %q stands inside the region that line %d opens; markers do not nest", i+1, marker, open+1)
		case begins:
			open, hidden = i, marker == notebook.BeginHidden
		case ends && (open < 0 || hidden != (marker == notebook.EndHidden)):
			return nil, fmt.Errorf("line %d: %q closes nothing that is open", i+1, marker)
		case ends:
			found = append(found, region{open, i, hidden})
			open = -1
		case almostMarker.MatchString(line):
			return nil, fmt.Errorf("line %d: %q is not written exactly like a marker (%s, %s, %s or %s)", i+1, marker, notebook.BeginSolution, notebook.EndSolution, notebook.BeginHidden, notebook.EndHidden)
		}
	}
	if open >= 0 {
		return nil, fmt.Errorf("line %d: the region that begins there is never closed", open+1)
	}
	return found, nil
}
