package cell

import (
	"slices"
	"strings"
)

// Reach lists those of all cells that a program of the roots needs: the roots, and what
// declares the names in them, and in these. A name may mean something else where it stands,
// so that there can be too many, but never too few.
//
// A helper of the student's may be called as one of the course's that only other cells need, and
// that the student has not come to yet: that one is left out.
func Reach(roots, all []*Unit) []*Unit {
	kept := slices.Clone(all)
	kept = slices.DeleteFunc(kept, func(u *Unit) bool { return !slices.Contains(roots, u) && eclipsed(u, all) })
	for {
		found := reach(roots, kept)
		missing := slices.IndexFunc(all, func(u *Unit) bool {
			return !slices.Contains(kept, u) && slices.ContainsFunc(found, func(f *Unit) bool {
				return !f.Student && slices.ContainsFunc(u.Names, func(n Name) bool { return f.needs(n.Name) })
			})
		})
		if missing < 0 {
			return found
		}
		kept = append(kept, all[missing])
	}
}

// eclipsed says whether students' cells declare for themselves all that they use of what a cell of
// the course's declares.
func eclipsed(u *Unit, all []*Unit) bool {
	own := false
	for _, n := range u.Names {
		declared, used := false, false
		for _, s := range all {
			if s.Student {
				declared = declared || s.Declares(n.Name) && !slices.Contains(s.Wanted, n.Name)
				used = used || s.needs(n.Name)
			}
		}
		if used && !declared {
			return false
		}
		own = own || declared
	}
	return own && !u.Student
}

func reach(roots, all []*Unit) []*Unit {
	owner := owners(all)
	methods := map[string][]*Unit{} // by type, which brings them with it
	for _, u := range all {
		for _, n := range u.Names {
			if t, _, isMethod := strings.Cut(n.Name, "."); isMethod && owner[n.Name] == u {
				methods[t] = append(methods[t], u)
			}
		}
	}
	seen := map[*Unit]bool{}
	var found []*Unit
	var visit func(u *Unit)
	visit = func(u *Unit) {
		if seen[u] {
			return
		}
		seen[u] = true
		found = append(found, u)
		for name, o := range owner {
			if u.needs(name) {
				visit(o)
			}
		}
		for t, units := range methods {
			if u.needs(t) {
				for _, m := range units {
					visit(m)
				}
			}
		}
	}
	for _, r := range roots {
		visit(r)
	}
	slices.SortFunc(found, func(a, b *Unit) int { return a.Cell - b.Cell })
	return found
}
