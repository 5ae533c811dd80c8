package grade

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/cell"
)

// A sitting is the scoring of one student's answers.
type sitting struct {
	g       *Grader
	answers []*answer
	extras  []*cell.Unit   // further cells, numbered from g.extra
	places  map[int]string // what these are called in messages
	refused []string       // what is wrong with further cells that cannot be used
	imports []string       // of the student's cells
}

// An answer is what a student wrote for one exercise.
type answer struct {
	q     *question
	unit  *cell.Unit // nil: it stands in further cells
	final *verdict   // where nothing has to be tried
	// broken says that the cell does not compile beside the others: there the worked answer
	// takes its place. hangs says that it was seen to take too long.
	broken, hangs bool
	// own is how it went with the student's other cells, worked with the worked answers.
	own, worked trial
}

// A trial is an answer in one program.
type trial struct {
	a        *answer
	units    []*cell.Unit
	program  *cell.Program
	key      string
	verdict  *verdict
	dropped  bool // it would take too long
	withOwn  bool // it needs other cells of the student's,
	withWork bool // or worked answers of other exercises
}

// sit reads what a student wrote.
func (g *Grader) sit(a Answers) *sitting {
	s := &sitting{g: g, places: map[int]string{}}
	for i, source := range a.Extra {
		s.further(source, fmt.Sprintf("your own cell %d", i+1))
	}
	for _, q := range g.questions {
		s.answers = append(s.answers, s.read(q, a.ByID[q.id]))
	}
	for _, a := range s.answers {
		if a.unit != nil {
			s.imports = append(s.imports, a.unit.Imports()...)
		}
	}
	for _, u := range s.extras {
		s.imports = append(s.imports, u.Imports()...)
	}
	return s
}

// further takes a source for a further cell. One that cannot be read is left out, and what
// is wrong with it is told where its absence makes an answer fail.
func (s *sitting) further(source, place string) {
	number := s.g.extra + len(s.places)
	s.places[number] = place
	u, err := cell.ReadStudent(number, source, nil)
	if err == nil {
		s.extras = append(s.extras, u)
		return
	}
	var wrong *cell.Errors
	if errors.As(err, &wrong) {
		for _, e := range wrong.Cells {
			s.refused = append(s.refused, fmt.Sprintf("line %d of %s: %s", e.Line+1, place, e.Text))
		}
	}
}

// read reads the answer to a question.
func (s *sitting) read(q *question, source string) *answer {
	a := &answer{q: q}
	if len(source) > cell.MaxSource { // before the parser sees it
		source = source[:cell.MaxSource+1]
	}
	elsewhere := slices.ContainsFunc(s.extras, func(u *cell.Unit) bool { return slices.ContainsFunc(q.Names, u.Declares) })
	normal, isGo := cell.Normal(source)
	if isGo && (normal == "" || normal == q.stub) {
		if !elsewhere {
			a.final = &verdict{State: NotWritten}
		}
		return a
	}
	u, err := cell.ReadStudent(q.Solution, source, q.wanted)
	var wrong *cell.Errors
	if errors.As(err, &wrong) {
		a.final = s.fail(a, wrong)
		return a
	}
	for _, name := range q.Names {
		if !u.Declares(name) && !elsewhere {
			a.final = &verdict{State: DoesNotCompile, Errors: []string{fmt.Sprintf("your cell does not declare %s, which the exercise asks for", name)}}
		}
	}
	if a.final != nil { // other cells may use what it declares instead
		s.further(source, fmt.Sprintf("your cell for exercise %d", q.Number))
		return a
	}
	a.unit = u
	return a
}

// assignment is which answers stand in place of the worked ones when the student's other
// cells count: those that can be used.
func (s *sitting) assignment() map[int]*cell.Unit {
	m := map[int]*cell.Unit{}
	for _, a := range s.answers {
		if a.final == nil && !a.broken {
			m[a.q.Number] = a.unit
		}
	}
	return m
}

// try assembles the program of one answer alone, beside those of an assignment.
func (s *sitting) try(a *answer, assignment map[int]*cell.Unit) (trial, *cell.Errors) {
	beside := maps.Clone(assignment)
	beside[a.q.Number] = a.unit // whatever else, it is this answer that is tried
	t := trial{a: a, units: s.units([]*answer{a}, beside)}
	for _, u := range t.units {
		other := slices.ContainsFunc(s.g.questions, func(q *question) bool { return q != a.q && q.Solution == u.Cell })
		t.withOwn = t.withOwn || other && u.Student
		t.withWork = t.withWork || other && !u.Student
	}
	var err error
	t.program, err = s.assemble(t.units, func(u *cell.Unit, path string, names []string) string {
		for _, q := range s.g.questions {
			if q.Solution == u.Cell {
				return q.refuses(path, names)
			}
		}
		return a.q.refuses(path, names)
	})
	var wrong *cell.Errors
	if errors.As(err, &wrong) {
		return t, wrong
	}
	t.key = s.g.tries + a.q.sum + t.program.Key()
	return t, nil
}

func (s *sitting) assemble(units []*cell.Unit, refused func(u *cell.Unit, path string, names []string) string) (*cell.Program, error) {
	return cell.Assemble(units, cell.Rules{Imports: s.g.imports, StudentImports: s.imports, Refused: refused})
}

// units are the cells of a program that checks these answers.
func (s *sitting) units(of []*answer, assignment map[int]*cell.Unit) []*cell.Unit {
	var roots []*cell.Unit
	for _, a := range of {
		roots = append(roots, a.q.check, a.q.visible)
	}
	return cell.Reach(roots, s.g.all(roots, assignment, s.extras))
}

// own tries every answer with the student's other cells. One program serves all answers,
// where it compiles. A cell that does not compile is replaced by the worked one, for the
// others.
func (s *sitting) own(ctx context.Context) error {
	for {
		assignment := s.assignment()
		var todo []*trial
		changed := false
		for _, a := range s.answers {
			if a.final != nil || a.own.verdict != nil || a.own.dropped {
				continue
			}
			if a.broken { // beside the others it cannot stand
				a.own.dropped = true
				continue
			}
			t, wrong := s.try(a, assignment)
			a.own = t
			if wrong != nil {
				if changed = s.blame(wrong, []*trial{&a.own}); changed {
					break // a cell that others were to use may be out
				}
				continue
			}
			todo = append(todo, &a.own)
		}
		if changed {
			continue
		}
		if len(todo) == 0 {
			return nil
		}
		err := s.find(ctx, todo, func(todo []*trial) error {
			wrong, err := s.together(ctx, todo, assignment)
			if err != nil || wrong != nil && !slices.ContainsFunc(todo, func(t *trial) bool { return t.gaveWay(todo) }) && s.blame(wrong, todo) {
				return err
			}
			return s.singly(ctx, todo)
		})
		if err != nil {
			return err
		}
	}
}

// withWorked tries the answers that did not pass everything with the worked answers of the
// other exercises.
func (s *sitting) withWorked(ctx context.Context) error {
	for {
		var todo []*trial
		for _, a := range s.answers {
			if a.final != nil || a.worked.verdict != nil || a.own.verdict != nil && a.own.verdict.full() {
				continue
			}
			if s.circular(a) {
				a.worked.verdict = &verdict{State: Stopped, Why: "This answer calls that of another exercise, which calls this one: neither does the work."}
				if a.own.verdict != nil && a.own.verdict.State == Stopped { // for want of an end, most likely
					a.own.verdict = a.worked.verdict
				}
				continue
			}
			t, wrong := s.try(a, map[int]*cell.Unit{a.q.Number: a.unit})
			if a.own.verdict != nil && t.key != "" && t.key == a.own.key {
				continue
			}
			a.worked = t
			if wrong != nil {
				a.worked.verdict = s.fail(a, wrong)
				continue
			}
			todo = append(todo, &a.worked)
		}
		if len(todo) == 0 {
			return nil
		}
		err := s.find(ctx, todo, func(todo []*trial) error {
			for _, group := range s.groups(todo) {
				if _, err := s.together(ctx, group.trials, group.assignment); err != nil {
					return err
				}
				if err := s.singly(ctx, group.trials); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
}

// circular says whether an answer calls that of another exercise which calls it back, though
// the worked answer does without. Beside worked answers of the other, each of the two would get
// the points for work that neither does.
func (s *sitting) circular(a *answer) bool {
	written, worked := slices.Clone(s.extras), slices.Clone(s.g.given)
	for _, b := range s.answers {
		worked = append(worked, b.q.worked)
		if b.unit != nil {
			written = append(written, b.unit)
		}
	}
	// leads says whether some of all cells use others that use others, from one to another.
	leads := func(from, to func(*cell.Unit) bool, all []*cell.Unit) bool {
		found := slices.DeleteFunc(slices.Clone(all), func(u *cell.Unit) bool { return !from(u) })
		for i := 0; i < len(found); i++ {
			for _, u := range all {
				if !slices.Contains(found, u) && found[i].Calls(u) {
					found = append(found, u)
				}
			}
		}
		return slices.ContainsFunc(found, to)
	}
	own := func(a *answer) func(*cell.Unit) bool {
		return func(u *cell.Unit) bool {
			return u == a.unit || a.unit == nil && slices.ContainsFunc(a.q.Names, u.Declares)
		}
	}
	course := func(a *answer) func(*cell.Unit) bool {
		return func(u *cell.Unit) bool { return u == a.q.worked }
	}
	return slices.ContainsFunc(s.answers, func(b *answer) bool {
		return b != a && leads(own(a), own(b), written) && leads(own(b), own(a), written) && !leads(course(a), course(b), worked)
	})
}

// A group is answers that one program can check, each with the worked ones of the others,
// because none needs another.
type group struct {
	trials     []*trial
	assignment map[int]*cell.Unit
}

func (s *sitting) groups(todo []*trial) []group {
	var groups []group
next:
	for _, t := range todo {
		for i := range groups {
			g := &groups[i]
			g.assignment[t.a.q.Number] = t.a.unit
			alone := true
			for _, other := range append(slices.Clone(g.trials), t) {
				again, wrong := s.try(other.a, g.assignment)
				alone = alone && wrong == nil && again.key == other.key
			}
			if alone {
				g.trials = append(g.trials, t)
				continue next
			}
			delete(g.assignment, t.a.q.Number)
		}
		groups = append(groups, group{[]*trial{t}, map[int]*cell.Unit{t.a.q.Number: t.a.unit}})
	}
	return groups
}

// find gives trials their verdicts: those that are known, and of the others those that
// nobody else is at work on.
func (s *sitting) find(ctx context.Context, todo []*trial, work func([]*trial) error) error {
	var open []*trial
	var keys []string
	for _, t := range todo {
		if v := s.g.get(t.key); v != nil {
			t.settle(v)
			continue
		}
		open, keys = append(open, t), append(keys, t.key)
	}
	if len(open) == 0 {
		return nil
	}
	claimed, release := s.g.claim(keys)
	defer func() { release() }()
	var mine []*trial
	for _, t := range open {
		if !slices.Contains(claimed, t.key) {
			continue
		}
		if v := s.g.get(t.key); v != nil { // found since
			t.settle(v)
			continue
		}
		mine = append(mine, t)
	}
	if len(mine) > 0 {
		return work(mine)
	}
	release()
	release = func() {}
	return s.g.wait(ctx, keys[0]) // and look again
}

func (t *trial) settle(v *verdict) {
	t.verdict = v
	t.a.hangs = t.a.hangs || v.Hangs
}

// known keeps a verdict for whoever answers alike.
func (s *sitting) known(t *trial, v *verdict) {
	s.g.put(t.key, v)
	t.settle(v)
}

// together builds one program for several trials and runs it for each. It does nothing for
// a single one, or where a cell does something before the main function begins, which might
// be felt by others. What does not compile is told.
func (s *sitting) together(ctx context.Context, todo []*trial, assignment map[int]*cell.Unit) (*cell.Errors, error) {
	var of []*answer
	for _, t := range todo {
		of = append(of, t.a)
	}
	units := s.units(of, assignment)
	if len(todo) < 2 || slices.ContainsFunc(units, func(u *cell.Unit) bool { return u.Student && u.Eager }) {
		return nil, nil
	}
	// What each cell may use, its own program has shown.
	program, err := s.assemble(units, func(*cell.Unit, string, []string) string { return "" })
	if err == nil {
		err = s.g.build(ctx, program, func(b *cell.Binary) error {
			for _, t := range todo {
				if err := s.run(ctx, b, t, true); err != nil {
					return err
				}
			}
			return nil
		})
	}
	var wrong *cell.Errors
	if errors.As(err, &wrong) {
		return wrong, nil
	}
	return nil, err
}

// singly builds a program for each trial that has no verdict yet.
func (s *sitting) singly(ctx context.Context, todo []*trial) error {
	for _, t := range todo {
		if t.verdict != nil || t.dropped || s.skip(t) {
			continue
		}
		err := s.g.build(ctx, t.program, func(b *cell.Binary) error { return s.run(ctx, b, t, false) })
		var wrong *cell.Errors
		switch {
		case errors.As(err, &wrong):
			s.known(t, s.fail(t.a, wrong))
			if wrong.Stopped && !t.withOwn { // nobody else's cell can have done that
				t.a.broken = true
			}
		case err != nil:
			return err
		}
	}
	return nil
}

// skip drops a trial that would wait for an answer which takes too long.
func (s *sitting) skip(t *trial) bool {
	t.dropped = slices.ContainsFunc(s.answers, func(a *answer) bool {
		return a != t.a && a.hangs && a.unit != nil && slices.Contains(t.units, a.unit)
	})
	return t.dropped
}

// run runs a check. In a program that it shares with others, one that does not come to its
// main function shows nothing: another's cell may be why.
func (s *sitting) run(ctx context.Context, b *cell.Binary, t *trial, shared bool) error {
	if s.skip(t) {
		return nil
	}
	q := t.a.q
	s.g.ran.Add(1)
	o, err := b.Run(ctx, s.g.runner, q.Graded, cell.CheckTime(len(q.cases)), q.given...)
	if err != nil || shared && !o.Begun {
		return err
	}
	v := q.judge(o)
	if len(q.unsaid(v)) > 0 {
		// What a visible case says is the student's to read. It comes from a run that has nothing of
		// the hidden ones.
		s.g.ran.Add(1)
		o, err := b.Run(ctx, s.g.runner, q.visible.Cell, cell.CheckTime(len(q.seen)))
		if err != nil {
			return err
		}
		q.silence(v, o)
	}
	s.known(t, v)
	return nil
}

// blame finds out from what does not compile which answers fail, and which cells others
// have to do without. It says whether it has found any.
func (s *sitting) blame(wrong *cell.Errors, todo []*trial) bool {
	if wrong.Stopped {
		return false
	}
	at := map[int]bool{}
	for _, e := range wrong.Cells {
		at[e.Cell] = true
	}
	found := false
	for _, a := range s.answers {
		if a.unit == nil || a.broken || a.final != nil || !at[a.unit.Cell] {
			continue
		}
		a.broken, found = true, true
		for _, t := range todo {
			if t.a == a {
				s.fails(t, wrong)
			}
		}
	}
	if found { // what else is said may come from that
		return true
	}
	for _, t := range todo {
		if slices.ContainsFunc(t.units, func(u *cell.Unit) bool { return at[u.Cell] }) {
			s.fails(t, wrong)
			found = true
		}
	}
	return found
}

// gaveWay says whether a helper beside the answer gave way, in a program for several trials, to what
// a cell of the course's declares and the answer's own program does without.
func (t *trial) gaveWay(todo []*trial) bool {
	return slices.ContainsFunc(todo, func(other *trial) bool {
		return slices.ContainsFunc(other.units, func(u *cell.Unit) bool {
			return !u.Student && !slices.Contains(t.units, u) && slices.ContainsFunc(t.a.unit.Names, func(n cell.Name) bool { return u.Declares(n.Name) })
		})
	})
}

// fails settles a trial by the errors that concern it.
func (s *sitting) fails(t *trial, wrong *cell.Errors) {
	its := &cell.Errors{Rest: wrong.Rest}
	for _, e := range wrong.Cells {
		if slices.ContainsFunc(t.units, func(u *cell.Unit) bool { return u.Cell == e.Cell }) {
			its.Cells = append(its.Cells, e)
		}
	}
	t.settle(s.fail(t.a, its))
}

// mostErrors bounds the errors that are told.
const mostErrors = 10

// fail is the verdict on what does not compile or is not allowed.
func (s *sitting) fail(a *answer, wrong *cell.Errors) *verdict {
	v := &verdict{State: DoesNotCompile}
	for _, e := range wrong.Cells {
		if e.Forbidden {
			v.State = NotAllowed
		}
		if said := s.say(a, e); !slices.Contains(v.Errors, said) {
			v.Errors = append(v.Errors, said)
		}
	}
	if wrong.Rest != "" {
		v.Errors = append(v.Errors, strings.Split(wrong.Rest, "\n")...)
	}
	if slices.ContainsFunc(wrong.Cells, func(e *cell.Error) bool { return strings.HasPrefix(e.Text, "undefined: ") }) {
		v.Errors = append(v.Errors, s.refused...)
	}
	v.Errors = v.Errors[:min(len(v.Errors), mostErrors)]
	return v
}

// say puts an error into words for the student.
func (s *sitting) say(a *answer, e *cell.Error) string {
	place := fmt.Sprintf("cell %d of the notebook, which needs yours", e.Cell+1)
	switch further := s.places[e.Cell]; {
	case e.Cell == a.q.Solution:
		place = fmt.Sprintf("line %d of your cell", e.Line+1)
	case further != "":
		place = fmt.Sprintf("line %d of %s", e.Line+1, further)
	}
	for _, q := range s.g.questions {
		if q != a.q && q.Solution == e.Cell {
			place = fmt.Sprintf("line %d of your cell for exercise %d", e.Line+1, q.Number)
		}
	}
	if e.Cell == a.q.Graded || e.Cell == a.q.visible.Cell { // it may quote a hidden case
		return fmt.Sprintf("the check does not compile with your answer: keep the names, parameters, results and fields that the exercise gives (%s)", strings.Join(a.q.wanted, ", "))
	}
	return place + ": " + e.Text
}
