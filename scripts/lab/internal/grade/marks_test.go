package grade

import (
	"fmt"
	"strings"
)

// marks is a sheet as points, states, and all that it says.
func marks(s Sheet) (points, states, text string) {
	var p, st []string
	var b strings.Builder
	for _, m := range s.Marks {
		p = append(p, fmt.Sprint(m.Points))
		st = append(st, m.State.String())
		fmt.Fprintf(&b, "%d %s %v/%v %v with %v: %s\n", m.Exercise, m.Title, m.Points, m.Of, m.State, m.With, m.Why)
		for _, e := range m.Errors {
			b.WriteString("  ! " + e + "\n")
		}
		for _, c := range m.Cases {
			fmt.Fprintf(&b, "  %v %q hidden %v: %s\n", c.Passed, c.Name, c.Hidden, c.Message)
		}
		if m.Printed != "" {
			b.WriteString("  > " + m.Printed + "\n")
		}
	}
	return strings.Join(p, " "), strings.Join(st, ", "), b.String()
}
