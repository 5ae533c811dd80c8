//go:build !handout && !light

package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/grade"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/gradebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/mistakes"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/sandbox"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/submission"
)

// A class is students and the notebooks that they are graded for.
type class struct {
	*env
	runner   sandbox.Runner
	jobs     int
	courses  []*gradedNotebook
	students []gradedStudent
}

// A gradedNotebook is a worked notebook that students are graded for.
type gradedNotebook struct {
	project.Notebook
	worked    *notebook.Notebook
	title     string
	exercises []exercise.Exercise
	tasks     []exercise.Task
	course    *submission.Course
	handed    int // students that handed it in,
	written   int // and those of them that wrote something into it
	grader    *grade.Grader
	mistakes  *knownMistakes
}

// A gradedStudent is a submission and what was found in it, by notebook.
type gradedStudent struct {
	submission.Submission
	answers map[*gradedNotebook]submission.Answers
	notes   []string
}

// choose reads what was handed in and which notebooks it belongs to. Without names these
// are the notebooks that anybody in the class has handed in, so that all shards grade the
// same ones.
func (c *class) choose(ctx context.Context, names string, students, all []submission.Submission) error {
	var wanted []string
	if names != "" {
		wanted = strings.Split(names, ",")
	}
	nbs, err := c.Resolve(wanted)
	if err != nil {
		return err
	}
	chosen, err := c.secondEdition(nbs, names != "")
	if err != nil {
		return err
	}
	for _, nb := range nbs {
		worked := chosen[nb.Name()]
		if worked == nil {
			continue
		}
		exercises, problems := exercise.Find(worked)
		if len(problems) > 0 {
			return fmt.Errorf("%s cannot be graded: %v (lab check %s tells all)", nb.Name(), problems[0], nb.Name())
		}
		if len(exercises) > 0 {
			tasks, _ := exercise.Tasks(worked) // whose problems are among those
			c.courses = append(c.courses, &gradedNotebook{Notebook: nb, worked: worked, title: cmp.Or(worked.Title(), nb.Name()),
				exercises: exercises, tasks: tasks, course: submission.NewCourse(worked, exercises, tasks)})
		}
	}
	if len(c.courses) == 0 {
		return errors.New("the notebooks have no exercises")
	}
	found := make([]gradedStudent, len(all))
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(c.jobs)
	for i := range all {
		group.Go(func() error {
			found[i] = c.read(all[i])
			return groupCtx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for _, s := range found {
		for nb, a := range s.answers {
			nb.handed++
			nb.written += min(a.Written, 1)
		}
		if slices.ContainsFunc(students, func(x submission.Submission) bool { return x.Student == s.Student && x.ID == s.ID }) {
			c.students = append(c.students, s)
		}
	}
	if names == "" {
		c.courses = c.handedIn()
		if len(c.courses) == 0 {
			return errors.New("none of the files is a copy of a notebook of this checkout; were they handed out from another one?")
		}
	}
	for _, nb := range c.courses {
		c.say("%s: %s, handed in by %d of %d", nb.Name(), plural(len(nb.exercises), "exercise"), nb.handed, len(all))
	}
	return nil
}

// handedIn are the notebooks that anybody has handed in. One that all have left blank is
// not among them, if somebody has written into another: some hand in the whole hand-out.
func (c *class) handedIn() []*gradedNotebook {
	written := slices.ContainsFunc(c.courses, func(nb *gradedNotebook) bool { return nb.written > 0 })
	var list []*gradedNotebook
	for _, nb := range c.courses {
		switch {
		case nb.handed == 0:
		case written && nb.written == 0:
			c.say("%s: handed in by %d, and blank; --notebooks would have it graded", nb.Name(), nb.handed)
		default:
			list = append(list, nb)
		}
	}
	return list
}

// read reads the files of one student. Of two files of one notebook the one that was handed in
// later counts, unless nothing is written in it; where nothing tells which that is, the one with
// more written answers, then with more cells of exercises, then the later by name.
func (c *class) read(s submission.Submission) gradedStudent {
	out := gradedStudent{Submission: s, answers: map[*gradedNotebook]submission.Answers{}, notes: slices.Clone(s.Problems)}
	from := map[*gradedNotebook]submission.File{}
	for _, f := range s.Files {
		handed, err := f.Read()
		if err != nil {
			out.notes = append(out.notes, fmt.Sprintf("This file could not be read: %v.", err))
			continue
		}
		var best *gradedNotebook
		most := 0
		for _, nb := range c.courses {
			if n := nb.course.Shares(handed); n > most {
				best, most = nb, n
			}
		}
		if best == nil {
			out.notes = append(out.notes, fmt.Sprintf("%s is not a copy of a notebook that is graded.", f.Path))
			continue
		}
		answers := best.course.Answers(handed)
		if before, twice := out.answers[best]; twice {
			other, why := from[best], "which was handed in later"
			newer := f.Newer(other)
			switch more := cmp.Compare(answers.Written, before.Written); {
			case answers.Written == 0 || before.Written == 0:
				newer, why = more, "since nothing is written in the other"
			case newer == 0:
				newer, why = cmp.Or(more, cmp.Compare(len(answers.ByID), len(before.ByID))), "which has more answers, since nothing tells which is newer"
			}
			if newer < 0 {
				answers, f, other = before, other, f
			}
			not, counts := other.Path, f.Path
			if not == counts {
				not, counts = other.Whole, f.Whole
			}
			answers.Notes = append(answers.Notes, fmt.Sprintf("%s and %s are the same notebook; %s counts, %s.", not, counts, counts, why))
		}
		out.answers[best], from[best] = answers, f
	}
	return out
}

// grade grades the students.
func (c *class) grade(ctx context.Context, kept grade.Store) (*gradebook.Book, error) {
	for _, nb := range c.courses {
		c.say("%s: trying the worked answers", nb.Name())
		catalogue, err := mistakes.Read(mistakes.Path(nb.Path))
		if errors.Is(err, fs.ErrNotExist) {
			catalogue = &mistakes.Catalogue{}
		} else if err != nil {
			return nil, err
		}
		known := map[int][]string{}
		for _, e := range nb.exercises {
			for _, b := range catalogue.Of(e.Number) {
				known[e.Number] = append(known[e.Number], b.Source)
			}
		}
		if nb.grader, err = grade.New(ctx, c.runner, c.Root, nb.worked, known); err != nil {
			return nil, fmt.Errorf("%s: %w", nb.Name(), err)
		}
		nb.grader.Kept = kept
		nb.mistakes = c.knownMistakes(nb, catalogue)
	}
	book := &gradebook.Book{Students: make([]gradebook.Student, len(c.students))}
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(c.jobs)
	begin := time.Now()
	var done atomic.Int64
	var mu sync.Mutex
	var shown time.Time
	for i, s := range c.students {
		group.Go(func() error {
			graded, err := c.gradeOne(groupCtx, s)
			if err != nil {
				return err
			}
			book.Students[i] = graded
			mu.Lock()
			defer mu.Unlock()
			if n := done.Add(1); time.Since(shown) > 2*time.Second || n == int64(len(c.students)) {
				shown = time.Now()
				c.say("%d of %d, %.2f s a student", n, len(c.students), time.Since(begin).Seconds()/float64(n))
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	book.Sort()
	return book, nil
}

// gradeOne grades one student.
func (c *class) gradeOne(ctx context.Context, s gradedStudent) (gradebook.Student, error) {
	out := gradebook.Student{Name: s.Student, ID: s.ID, Late: s.Late, Notes: s.notes}
	for _, nb := range c.courses {
		answers, handedIn := s.answers[nb]
		sheet, err := nb.grader.Grade(ctx, grade.Answers{ByID: answers.ByID, Extra: answers.Extra})
		if err != nil {
			return out, fmt.Errorf("%s of %s: %w", path.Base(nb.Name()), s.Student, err)
		}
		page := gradebook.Notebook{Name: nb.Name(), Title: nb.title, HandedIn: handedIn, Notes: answers.Notes}
		for _, m := range sheet.Marks {
			says, err := nb.mistakes.of(ctx, m)
			if err != nil {
				return out, err
			}
			page.Marks = append(page.Marks, gradebook.Question{Mark: m, Mistake: says})
		}
		for _, t := range nb.tasks {
			w := gradebook.Written{Cell: nb.worked.Cells[t.Answer].ID, Task: t.Number, Title: t.Title, Of: float64(t.Points)}
			if text, written := answers.Texts[w.Cell]; written {
				w.Answer = &text
			}
			page.Written = append(page.Written, w)
		}
		out.Notebooks = append(out.Notebooks, page)
	}
	return out, nil
}
