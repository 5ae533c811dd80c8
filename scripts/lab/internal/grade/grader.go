package grade

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/cell"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/key"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/sandbox"
)

// A Store keeps verdicts from one run of the tool to the next. A key stands for all that a
// verdict depends on. Both methods may be called by several goroutines at a time.
type Store interface {
	Get(key string) (verdict []byte, ok bool)
	Put(key string, verdict []byte)
}

// A Grader scores answers to one notebook. It may be used by several goroutines at a time;
// equal answers are tried once.
type Grader struct {
	// Kept is where verdicts are kept beside this Grader's own memory; nil: nowhere. Set
	// it before the first call of Grade.
	Kept Store

	runner    sandbox.Runner
	chain     *cell.Toolchain
	tries     string // stands for the packages and for the rules of this tool
	questions []*question
	given     []*cell.Unit  // the course's cells but for solutions, without their bodies
	imports   []string      // of the course's cells
	extra     int           // the number of a student's first further cell
	control   *cell.Program // of the worked answers, which can be built
	memory    memory
	built     atomic.Int64
	ran       atomic.Int64
}

// A question is an exercise, prepared to be scored.
type question struct {
	exercise.Exercise
	id      string     // of the cell that students write
	cell    string     // of the cell that gives the points
	worked  *cell.Unit // the worked answer
	check   *cell.Unit // the cell that gives the points, with its body
	stub    string     // what was handed out, in normal form
	wanted  []string   // the names that the cell is to declare
	allowed allowance
	title   string // of the check
	cases   []Case // with Name and Hidden
	expects []string
}

// New prepares the scoring of a worked notebook, of the checkout at root. It runs the
// worked answers once, and refuses a notebook whose own answers do not get full marks.
//
// known are sources of other answers, by the number of their exercise, such as those of the
// catalogue of mistakes. They are not run: what they use, students may use as well.
func New(ctx context.Context, runner sandbox.Runner, root string, worked *notebook.Notebook, known map[int][]string) (*Grader, error) {
	exercises, problems := exercise.Find(worked)
	if len(problems) > 0 {
		return nil, fmt.Errorf("the worked notebook cannot be graded with: %v", problems[0])
	}
	if len(exercises) == 0 {
		return nil, errors.New("the worked notebook has no exercises")
	}
	g := &Grader{runner: runner, extra: len(worked.Cells), memory: memory{known: map[string]*verdict{}, open: map[string]chan struct{}{}}}
	if err := g.read(worked, exercises, known); err != nil {
		return nil, err
	}
	var err error
	if g.chain, err = cell.Prepare(ctx, root, g.packages()); err != nil {
		return nil, err
	}
	if g.tries, err = triesOf(root, g.packages()); err != nil {
		return nil, err
	}
	visible, err := g.visible(ctx, worked)
	if err != nil {
		return nil, err
	}
	if err := g.reference(ctx, visible); err != nil {
		return nil, err
	}
	return g, nil
}

// triesOf is the part of a verdict's key that all answers share: the packages that programs may
// import, and this tool, which decides what a verdict means.
func triesOf(root string, packages []string) (string, error) {
	keys := key.Open(project.Project{Root: root})
	code, err := keys.Packages(packages...)
	if err != nil {
		return "", err
	}
	return keys.Here(code, "grade")
}

// read reads the cells of the worked notebook.
func (g *Grader) read(worked *notebook.Notebook, exercises []exercise.Exercise, known map[int][]string) error {
	units, err := cell.ReadAll(worked)
	if err != nil {
		return err
	}
	copied := copyOf(worked)
	solutions := map[int]bool{}
	for _, e := range exercises {
		solutions[e.Solution] = true
		q := &question{Exercise: e, id: worked.Cells[e.Solution].ID, cell: worked.Cells[e.Graded].ID,
			worked: units[e.Solution].WithoutBody(), check: units[e.Graded]}
		for _, n := range q.worked.Names {
			q.wanted = append(q.wanted, n.Name)
		}
		var ok bool
		if q.stub, ok = cell.Normal(copied.Cells[e.Solution].Source); !ok {
			return fmt.Errorf("the stub of exercise %d is not Go", e.Number)
		}
		g.questions = append(g.questions, q)
	}
	for _, i := range slices.Sorted(maps.Keys(units)) {
		g.imports = append(g.imports, units[i].Imports()...)
		if !solutions[i] {
			g.given = append(g.given, units[i].WithoutBody())
		}
	}
	slices.Sort(g.imports)
	g.imports = slices.Compact(g.imports)
	imported := make([]string, len(g.imports)) // which are specs, with a name or without
	for i, spec := range g.imports {
		imported[i] = strings.Trim(spec[strings.LastIndex(spec, " ")+1:], "\"`")
	}
	shown := make([]*cell.Unit, 0, len(g.questions)) // whose names of the course's packages are allowed
	for _, q := range g.questions {
		shown = append(shown, q.worked)
	}
	for _, q := range g.questions {
		answer, err := q.worked.Packages(g.imports)
		if err != nil {
			return err
		}
		for i, source := range known[q.Number] {
			u, err := cell.Read(q.Solution, &notebook.Cell{Type: "code", Source: source})
			if err != nil {
				return fmt.Errorf("answer %d that is known to exercise %d: %w", i+1, q.Number, err)
			}
			packages, err := u.Packages(g.imports)
			if err != nil {
				return fmt.Errorf("answer %d that is known to exercise %d: %w", i+1, q.Number, err)
			}
			answer, shown = append(answer, packages...), append(shown, u)
		}
		check, err := q.check.Packages(g.imports)
		if err != nil {
			return err
		}
		q.allowed = allowedFor(imported, answer, check)
	}
	for _, q := range g.questions {
		for _, u := range shown {
			q.allowed.shows(u)
		}
	}
	return nil
}

// copyOf is the students' copy of the notebook, as far as its code goes.
func copyOf(worked *notebook.Notebook) *notebook.Notebook {
	return exercise.Copy("", worked, exercise.Links{Alone: true, HasCopy: func(string) bool { return false }})
}

// packages are all that programs may import.
func (g *Grader) packages() []string {
	all := map[string]bool{}
	for _, q := range g.questions {
		maps.Copy(all, q.allowed.packages)
	}
	units := slices.Clone(g.given)
	for _, q := range g.questions {
		units = append(units, q.worked, q.check)
	}
	for _, u := range units {
		if found, err := u.Packages(g.imports); err == nil {
			for _, p := range found {
				all[p] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// visible runs the checks of the students' copy with the worked answers: the names of the
// cases that students see, by exercise.
func (g *Grader) visible(ctx context.Context, worked *notebook.Notebook) (map[int][]string, error) {
	copied := copyOf(worked)
	names := map[int][]string{}
	seen := &Grader{runner: g.runner, chain: g.chain, given: g.given, imports: g.imports}
	for _, q := range g.questions {
		check, err := cell.Read(q.Graded, copied.Cells[q.Graded])
		if err != nil {
			return nil, err
		}
		of := *q
		of.check = check
		seen.questions = append(seen.questions, &of)
	}
	scores, err := seen.scoresOfWorked(ctx)
	for n, s := range scores {
		for _, c := range s.Cases {
			names[n] = append(names[n], c.Name)
		}
	}
	return names, err
}

// reference runs the worked answers and takes down what their checks report.
func (g *Grader) reference(ctx context.Context, visible map[int][]string) error {
	scores, err := g.scoresOfWorked(ctx)
	if err != nil {
		return err
	}
	for _, q := range g.questions {
		s := scores[q.Number]
		if s.Passed != s.Of || s.Of == 0 {
			return fmt.Errorf("exercise %d: the worked answer passes %d of %d cases: %s", q.Number, s.Passed, s.Of, strings.Join(s.Failed(), "; "))
		}
		q.title, q.expects = s.Title, s.Expects
		seen := slices.Clone(visible[q.Number])
		for _, c := range s.Cases {
			i := slices.Index(seen, c.Name)
			if i >= 0 {
				seen = slices.Delete(seen, i, i+1)
			}
			q.cases = append(q.cases, Case{Name: c.Name, Hidden: i < 0})
		}
	}
	return nil
}

// workedTime is the processor time that the check of a worked answer may take.
const workedTime = 2 * time.Minute

// scoresOfWorked builds one program of all checks and the worked answers, and runs it.
func (g *Grader) scoresOfWorked(ctx context.Context) (map[int]cell.Score, error) {
	var roots []*cell.Unit
	for _, q := range g.questions {
		roots = append(roots, q.check)
	}
	program, err := cell.Assemble(cell.Reach(roots, g.all(roots, nil, nil)), cell.Rules{Imports: g.imports})
	if err != nil {
		return nil, fmt.Errorf("the worked answers do not compile: %w", err)
	}
	scores := map[int]cell.Score{}
	err = g.build(ctx, program, func(b *cell.Binary) error {
		for _, q := range g.questions {
			o, err := b.Run(ctx, g.runner, q.Graded, workedTime)
			if err != nil {
				return err
			}
			if !o.Ended || len(o.Scores) != 1 {
				return fmt.Errorf("exercise %d: the check of the worked answer fails: %s", q.Number, head(o.Printed))
			}
			scores[q.Number] = o.Scores[0]
		}
		return nil
	})
	var wrong *cell.Errors
	if errors.As(err, &wrong) {
		err = fmt.Errorf("the worked answers do not compile: %w", err)
	}
	if err == nil {
		g.control = program
	}
	return scores, err
}

// all are the cells from which a program of the roots is taken. answers are those that
// stand in place of the worked ones, by exercise; without an entry the worked one is taken,
// and with a nil one none.
func (g *Grader) all(roots []*cell.Unit, answers map[int]*cell.Unit, extra []*cell.Unit) []*cell.Unit {
	isRoot := map[int]bool{}
	for _, r := range roots {
		isRoot[r.Cell] = true
	}
	units := slices.Concat(roots, extra)
	for _, u := range g.given {
		if !isRoot[u.Cell] {
			units = append(units, u)
		}
	}
	for _, q := range g.questions {
		u, ok := answers[q.Number]
		if !ok {
			u = q.worked
		}
		if u != nil {
			units = append(units, u)
		}
	}
	slices.SortFunc(units, func(a, b *cell.Unit) int { return a.Cell - b.Cell })
	return units
}

// Grade scores one student's answers. An error says that they could not be scored, never
// that they are wrong.
func (g *Grader) Grade(ctx context.Context, a Answers) (Sheet, error) {
	s := g.sit(a)
	if err := s.own(ctx); err != nil {
		return Sheet{}, err
	}
	if err := s.withWorked(ctx); err != nil {
		return Sheet{}, err
	}
	return s.sheet(), nil
}

// Built and Ran count the programs that were built, and their runs.
func (g *Grader) Built() int { return int(g.built.Load()) }
func (g *Grader) Ran() int   { return int(g.ran.Load()) }

// memory keeps verdicts by key, and which are being found.
type memory struct {
	mu    sync.Mutex
	known map[string]*verdict
	open  map[string]chan struct{}
}
