package exercise

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/cellcode"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/scratch"
)

// Verify compiles the worked notebook and its copy, without a kernel, and runs their
// graded cells: the solutions get full marks; the stubs compile and score nothing, with
// no more said than that they are not implemented yet. It takes some seconds.
func Verify(ctx context.Context, root string, nb, copied *notebook.Notebook, exercises []Exercise) ([]notebook.Problem, error) {
	folder, err := scratch.New("exercises")
	if err != nil {
		return nil, err
	}
	defer folder.Remove()
	v := &verifier{ctx: ctx, root: root, nb: nb}
	for _, step := range []struct {
		name string
		of   *notebook.Notebook
		run  func(*cellcode.Binary, []Exercise)
	}{{"worked", nb, v.solutions}, {"copy", copied, v.stubs}} {
		dir := filepath.Join(folder.Path, step.name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			return nil, err
		}
		program, err := cellcode.Compose(step.of)
		var binary *cellcode.Binary
		if err == nil {
			binary, err = program.Build(ctx, root, dir)
		}
		if err != nil {
			v.doesNotCompile(step.of == copied, err)
		} else {
			step.run(binary, exercises)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if len(v.problems) > 0 {
			break
		}
	}
	return v.problems, nil
}

type verifier struct {
	ctx      context.Context
	root     string
	nb       *notebook.Notebook
	problems []notebook.Problem
}

func (v *verifier) bad(i int, format string, args ...any) {
	p := notebook.Problem{Cell: i, Text: fmt.Sprintf(format, args...)}
	if i >= 0 {
		p.ID = v.nb.Cells[i].ID
	}
	v.problems = append(v.problems, p)
}

var (
	compileError = regexp.MustCompile(`^cell (\d+), line (\d+): (.*)$`)
	notUsed      = regexp.MustCompile(`^declared and not used: (\w+)$`)
)

// doesNotCompile tells the errors of the compiler. A variable that is declared outside
// the markers and used inside only is not used in the copy.
func (v *verifier) doesNotCompile(stubs bool, err error) {
	what := "does not compile"
	if stubs {
		what = "does not compile with stubs in place of the solutions"
	}
	var rest []string
	for _, line := range strings.Split(err.Error(), "\n") {
		m := compileError.FindStringSubmatch(line)
		if m == nil {
			rest = append(rest, line)
			continue
		}
		cell, _ := strconv.Atoi(m[1])
		if cell < 1 || cell > len(v.nb.Cells) {
			rest = append(rest, line)
			continue
		}
		if name := notUsed.FindStringSubmatch(m[3]); name != nil && stubs {
			v.bad(cell-1, "line %s declares %s, which only the solution uses: the copy would not compile; declare it between the markers", m[2], name[1])
		} else {
			v.bad(cell-1, "%s: line %s: %s", what, m[2], m[3])
		}
	}
	if len(rest) > 0 {
		v.bad(-1, "%s: %s", what, strings.Join(rest, "\n    "))
	}
}

// solutions wants full marks.
func (v *verifier) solutions(b *cellcode.Binary, exercises []Exercise) {
	for _, e := range exercises {
		scores, printed, err := b.Run(v.ctx, e.Graded)
		switch {
		case v.ctx.Err() != nil:
			return
		case err != nil:
			v.bad(e.Graded, "exercise %d: the check of the worked solution fails: %v%s", e.Number, err, behind(printed))
		case len(scores) != 1:
			v.bad(e.Graded, "exercise %d: the check of the worked solution reports %d scores, not one%s", e.Number, len(scores), behind(printed))
		case scores[0].Passed != scores[0].Of || scores[0].Of == 0:
			v.bad(e.Graded, "exercise %d: the worked solution passes %d of %d cases: %s", e.Number, scores[0].Passed, scores[0].Of, strings.Join(scores[0].Failed, "; "))
		}
	}
}

const kindSentence = "is not implemented yet"

// stubs wants no marks and no more words than that nothing is implemented yet.
func (v *verifier) stubs(b *cellcode.Binary, exercises []Exercise) {
	if len(exercises) == 0 {
		return
	}
	// No cell has this number: what runs is what package variables are made of.
	if _, printed, err := b.Run(v.ctx, -1); strings.Contains(printed, kindSentence) || err != nil && v.ctx.Err() == nil {
		v.bad(-1, "a variable that cells declare at their top needs an exercise: until that is done, every cell after it would stop. Make it inside a cell, in a function, or with sync.OnceValue%s", behind(printed))
		return
	}
	for _, e := range exercises {
		scores, printed, err := b.Run(v.ctx, e.Graded)
		switch {
		case v.ctx.Err() != nil:
			return
		case err != nil:
			v.bad(e.Graded, "exercise %d: with stubs the check ends in an error: %v%s", e.Number, err, behind(printed))
		case len(scores) == 0 && strings.Contains(printed, kindSentence):
			// The check needs another exercise before it begins, and says so.
		case len(scores) != 1:
			v.bad(e.Graded, "exercise %d: with stubs the check reports %d scores, not one%s", e.Number, len(scores), behind(printed))
		case scores[0].Passed > 0:
			v.bad(e.Graded, "exercise %d: with stubs %d of %d cases pass; a case that nobody has to work for gives no points", e.Number, scores[0].Passed, scores[0].Of)
		case scores[0].Unwritten != scores[0].Of:
			v.bad(e.Graded, "exercise %d: with stubs a case says something else than that nothing is implemented yet: %s", e.Number, strings.Join(scores[0].Failed, "; "))
		}
	}
}

// behind is what a program printed, cut, to stand behind a message.
func behind(printed string) string {
	if printed == "" {
		return ""
	}
	lines := strings.Split(printed, "\n")
	if len(lines) > 10 {
		lines = append(lines[:10], "…")
	}
	return ":\n    " + strings.Join(lines, "\n    ")
}
