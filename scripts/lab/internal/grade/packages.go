package grade

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/cell"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// pure are packages that every answer may use: they compute.
//
// The sandbox bounds what an answer can do to the machine, and expected values are in another
// process ([cell.Blind]), so that this list bounds what an exercise may be answered with, and is
// no lock. What these packages can still do: fmt.Scan reads standard input, which is empty;
// fmt.Print and nbkit write to standard output, of which only so much is kept; nbkit.Show writes a
// figure into the scratch folder, and nbkit.NotImplemented ends a case as a stub does;
// math/rand.Seed sets what other functions of the same run draw from, and each exercise runs by
// itself; sync and iter can wait for ever or start what does. mlcore and gonum are looked through
// for the same: gonum's mat reads and writes only what it is given a reader or writer for.
var pure = []string{
	"bytes", "cmp", "container/heap", "container/list", "container/ring", "errors", "fmt", "iter", "log", "maps",
	"math", "math/big", "math/bits", "math/cmplx", "math/rand", "math/rand/v2", "slices", "sort", "strconv", "strings", "sync", "time",
	"unicode", "unicode/utf8",
	"gonum.org/v1/gonum/floats", "gonum.org/v1/gonum/mat", "gonum.org/v1/gonum/stat",
	project.Module + "/mlcore", project.Module + "/notebooks/nbkit",
}

// never are packages that no answer may use, though the worked one does: by these the machine could
// be reached, or what the program reports.
func never(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	switch {
	case slices.Contains([]string{"os", "syscall", "net", "runtime", "testing", "debug", "plugin", "unsafe", "reflect", "embed", "C", "go", "internal"}, first):
		return true
	case importPath == "io/fs", importPath == "io/ioutil", importPath == "path/filepath", importPath == "log/syslog":
		return true
	case strings.HasPrefix(importPath, "golang.org/x/sys/"):
		return true
	}
	// What runs a check, and what holds results in files.
	return strings.HasPrefix(importPath, project.Module+"/notebooks/nbkit/")
}

// course says whether a package is one of the notebooks', which may export what an
// exercise of another notebook asks for: an answer may use those that the copy imports,
// and no others.
func course(importPath string) bool {
	rel, below := strings.CutPrefix(importPath, project.Module+"/notebooks/")
	return below && rel != "nbkit"
}

// An allowance is what the answers to an exercise may use.
type allowance struct {
	packages map[string]bool
	// names are those of the course's packages that worked and known answers of the notebook
	// use. A package of a course may hand out what the library has: lab3.FromModel makes of a tree
	// of the library the tree that an exercise asks for.
	names map[string]map[string]bool
}

// allowedFor lists what answers to an exercise may use: what the worked answer and known
// others use, what its check uses, the pure packages, and those of the course among the packages that the
// notebook imports. The library is not among these: an exercise asks for what it has.
func allowedFor(notebook, answer, check []string) allowance {
	a := allowance{map[string]bool{}, map[string]map[string]bool{}}
	for _, p := range slices.Concat(pure, answer, check) {
		if !never(p) && (!course(p) || slices.Contains(answer, p)) {
			a.packages[p] = true
		}
	}
	for _, p := range notebook {
		if course(p) && !never(p) {
			a.packages[p] = true
		}
	}
	maps.DeleteFunc(a.packages, func(p string, _ bool) bool { return path.Base(p) == "solutions" })
	for p := range a.packages {
		if course(p) {
			a.names[p] = map[string]bool{}
		}
	}
	return a
}

// shows allows what a worked or known answer uses of the course's packages.
func (a allowance) shows(answer *cell.Unit) {
	for p, names := range a.names {
		for _, n := range answer.Selected(path.Base(p)) {
			names[n] = true
		}
	}
}

// refuses is what of a package an answer may not use, "" if it may use all these names.
func (q *question) refuses(importPath string, names []string) string {
	if !q.allowed.packages[importPath] {
		return "package " + importPath
	}
	if allowed, ok := q.allowed.names[importPath]; ok {
		for _, n := range names {
			if !allowed[n] {
				return path.Base(importPath) + "." + strings.TrimPrefix(n, ".")
			}
		}
	}
	return ""
}
