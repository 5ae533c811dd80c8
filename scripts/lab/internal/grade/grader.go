package grade

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mllabs-go/mllabs/notebooks/nbkit/judge"
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
	whole   *cell.Unit // the cell that gives the points, with its body
	check   *cell.Unit // the same without what it expects ([cell.Blind]), for answers
	given   []string   // the constants of check, which is sealed
	visible *cell.Unit // the body of check without the hidden cases, as a cell of another number
	stub    string     // what was handed out, in normal form
	wanted  []string   // the names that the cell is to declare
	allowed allowance
	cases   []Case // with Name and Hidden
	// expected is what each case expects of an answer, which no program of one knows, and sum
	// stands for all of it and for given. seen are the visible cases: which of the cases they are, in their order.
	expected []judge.Case
	sum      string
	seen     []int
	others   []string // what all exercises of the notebook declare
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
	if err := g.seal(ctx, worked); err != nil {
		return nil, err
	}
	return g, g.reference(ctx, worked)
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
			worked: units[e.Solution].WithoutBody(), whole: units[e.Graded]}
		var visible *cell.Unit
		if q.check, err = blind(e.Graded, worked); err == nil {
			visible, err = blind(e.Graded, copied)
		}
		if err != nil {
			return fmt.Errorf("exercise %d: cell %s: %w", e.Number, q.cell, err)
		}
		if top := func(nb *notebook.Notebook) string { return cell.Split(nb.Cells[e.Graded].Source).Top }; top(worked) != top(copied) {
			return fmt.Errorf("exercise %d: cell %s declares above %%%%%% what only hidden cases have, where its numbers cannot be kept from the answers; write it below", e.Number, q.cell)
		}
		q.visible = visible.Body(g.extra)
		g.extra++
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
	var declared []string
	for _, q := range g.questions {
		declared = append(declared, q.wanted...)
	}
	for _, q := range g.questions {
		q.others = declared
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
		check, err := q.whole.Packages(g.imports)
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

// blind is a cell with a check as programs of answers have it.
func blind(number int, nb *notebook.Notebook) (*cell.Unit, error) {
	c := *nb.Cells[number]
	var err error
	if c.Source, err = cell.Blind(c.Source); err != nil {
		return nil, err
	}
	return cell.Read(number, &c)
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
		units = append(units, q.worked, q.whole)
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

// seal takes the constants out of the checks: the program of an answer has them while hidden cases
// are tried, and not while visible ones are tried for what they say.
func (g *Grader) seal(ctx context.Context, worked *notebook.Notebook) error {
	var roots []*cell.Unit
	for _, q := range g.questions {
		roots = append(roots, q.check)
	}
	var sealer *cell.Sealer
	program, err := cell.Assemble(cell.Reach(roots, g.all(roots, nil, nil)), cell.Rules{Imports: g.imports})
	if err == nil {
		sealer, err = g.chain.Sealer(ctx, program)
	}
	if err != nil {
		return fmt.Errorf("the worked answers do not compile: %w", err)
	}
	for _, q := range g.questions {
		c := *worked.Cells[q.Graded]
		if c.Source, err = cell.Blind(c.Source); err == nil {
			c.Source, q.given, err = sealer.Seal(q.Graded, c.Source)
		}
		if err == nil {
			q.check, err = cell.Read(q.Graded, &c)
		}
		if err != nil {
			return fmt.Errorf("exercise %d: cell %s: %w", q.Number, q.cell, err)
		}
	}
	return nil
}

// workedTime is the processor time that the check of a worked answer may take.
const workedTime = 2 * time.Minute

// reference runs the worked answers and takes down what their checks expect. The same program
// tries them as programs of answers do: what expects nothing has to give the same answers.
func (g *Grader) reference(ctx context.Context, worked *notebook.Notebook) error {
	copied := copyOf(worked)
	var roots []*cell.Unit
	number := g.extra
	for _, q := range g.questions {
		shown, err := cell.Read(q.Graded, copied.Cells[q.Graded])
		if err != nil {
			return err
		}
		roots = append(roots, q.whole, shown.Body(number), q.check.Body(number+1), q.visible)
		number += 2
	}
	program, err := cell.Assemble(cell.Reach(roots, g.all(roots, nil, nil)), cell.Rules{Imports: g.imports})
	if err == nil {
		err = g.build(ctx, program, func(b *cell.Binary) error {
			number := g.extra
			for _, q := range g.questions {
				if err := g.expect(ctx, b, q, number); err != nil {
					return fmt.Errorf("exercise %d: %w", q.Number, err)
				}
				number += 2
			}
			return nil
		})
	}
	var wrong *cell.Errors
	if errors.As(err, &wrong) {
		return fmt.Errorf("the worked answers do not compile: %w", err)
	}
	g.control = program
	return err
}

// expect takes down what a check expects. Behind number are its visible cases, and all cases
// without what they expect.
func (g *Grader) expect(ctx context.Context, b *cell.Binary, q *question, number int) error {
	var checks [4]cell.Check
	for i, n := range []int{q.Graded, number, number + 1, q.visible.Cell} {
		var given []string
		if n == number+1 {
			given = q.given
		}
		o, err := b.Run(ctx, g.runner, n, workedTime, given...)
		if err != nil {
			return err
		}
		if !o.Ended || len(o.Checks) != 1 {
			return fmt.Errorf("the check of the worked answer fails: %s", head(o.Printed))
		}
		checks[i] = o.Checks[0]
	}
	whole, shown := checks[0], checks[1]
	for _, c := range []struct {
		expects, answers cell.Check
		how              string
	}{{whole, whole, ""}, {whole, checks[2], " when it is asked without what is expected"}, {shown, checks[3], " of its visible cases"}} {
		if len(c.answers.Answers) != len(c.expects.Cases) {
			return fmt.Errorf("its check has another number of cases%s", c.how)
		}
		if s := judge.Compare("", c.expects.Cases, c.answers.Answers); !s.Full() {
			return fmt.Errorf("the worked answer passes %d of %d cases%s: %s", s.Passed, s.Of, c.how, strings.Join(s.Failed(), "; "))
		}
	}
	q.expected = whole.Cases
	text, err := json.Marshal([]any{q.expected, q.given})
	if err != nil {
		return err
	}
	q.sum = fmt.Sprintf("%x", sha256.Sum256(text))
	for _, c := range judge.Compare("", q.expected, whole.Answers).Cases {
		q.cases = append(q.cases, Case{Name: c.Name, Hidden: true})
	}
	for _, c := range judge.Compare("", shown.Cases, shown.Answers).Cases {
		i := slices.IndexFunc(q.cases, func(of Case) bool { return of.Hidden && of.Name == c.Name })
		if i < 0 {
			return fmt.Errorf("the copy has a case %q that the notebook has not", c.Name)
		}
		q.cases[i].Hidden = false
		q.seen = append(q.seen, i)
	}
	return nil
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
