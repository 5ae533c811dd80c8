package cell

import (
	"slices"
	"strings"
)

// Reach lists those of all cells that a program of the roots needs: the roots, and what
// declares the names in them, and in these. A name may mean something else where it stands,
// so that there can be too many, but never too few.
func Reach(roots, all []*Unit) []*Unit {
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
