//go:build !handout && !light

package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/gradebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/journal"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/marking"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// marksVersion changes with what a mark by hand is.
const marksVersion = "marks 1"

// marksFile is the file that keeps marks by hand, beside the table.
func (g *grading) marksFile() string { return g.out + ".marks" }

// openMarks opens the file of marks that were given by hand, before anything is graded, or
// begins it where marks are to be given; nil where there are none.
func (g *grading) openMarks(e *env) (j *journal.Journal, marks []gradebook.HandMark, err error) {
	if _, err := os.Stat(g.marksFile()); errors.Is(err, fs.ErrNotExist) && !g.mark {
		return nil, nil, nil
	}
	j, entries, note, err := journal.Open(g.marksFile(), marksVersion)
	if err != nil {
		return nil, nil, err
	}
	if note != "" {
		e.say("%s: %s", g.marksFile(), note)
	}
	for _, raw := range entries {
		var m gradebook.HandMark
		if json.Unmarshal(raw, &m) == nil {
			marks = append(marks, m)
		}
	}
	return j, marks, nil
}

// finish puts the marks that were given by hand into the book that grade makes, has more
// given where they were asked for, and writes the tables.
func (g *grading) finish(ctx context.Context, e *env, grade func() (*gradebook.Book, error)) error {
	j, marks, err := g.openMarks(e)
	if err != nil {
		return err
	}
	if j != nil {
		defer j.Close()
	}
	book, err := grade()
	if err != nil {
		return err
	}
	book.Apply(marks)
	if g.mark {
		if err := g.atTheDesk(ctx, e, book, j); err != nil {
			return err
		}
	}
	return g.write(e, book)
}

// atTheDesk serves the page for marking until an interrupt.
func (g *grading) atTheDesk(ctx context.Context, e *env, book *gradebook.Book, j *journal.Journal) error {
	tasks, err := e.tasksOf(book)
	if err != nil {
		return err
	}
	if len(tasks) == 0 {
		return errors.New("--mark: the notebooks ask for no written answers that give points")
	}
	if err := g.write(e, book); err != nil { // so that they are there whatever happens
		return err
	}
	desk := marking.New(book, tasks, func(m gradebook.HandMark) error {
		if err := j.Add(m); err != nil {
			return fmt.Errorf("%s cannot be written; make room, and give the mark again (%w)", g.marksFile(), err)
		}
		return nil
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: desk, ReadHeaderTimeout: 10 * time.Second}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	e.say("mark the written answers at http://%s%s and end with Ctrl-C", listener.Addr(), desk.Path())
	select {
	case err = <-served:
	case <-ctx.Done():
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		err = server.Shutdown(end) // a mark that is on its way is kept
	}
	if errors.Is(err, http.ErrServerClosed) || errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// tasksOf are the tasks of a book's notebooks, with their texts from this checkout.
func (e *env) tasksOf(book *gradebook.Book) ([]marking.Task, error) {
	if len(book.Students) == 0 {
		return nil, nil
	}
	var all []marking.Task
	for _, graded := range book.Students[0].Notebooks {
		if len(graded.Written) == 0 {
			continue
		}
		nbs, err := e.Resolve([]string{graded.Name})
		if err != nil {
			return nil, err
		}
		worked, err := notebook.Read(nbs[0].Path)
		if err != nil {
			return nil, err
		}
		tasks, _ := exercise.Tasks(worked)
		for _, w := range graded.Written {
			t := marking.Task{Notebook: graded.Name, Cell: w.Cell}
			for _, task := range tasks {
				if worked.Cells[task.Answer].ID == w.Cell {
					t.Question, t.Worked = worked.Cells[task.Text].Source, worked.Cells[task.Answer].Source
				}
			}
			if t.Question == "" {
				return nil, fmt.Errorf("%s of this checkout does not ask for written answer %d; mark with the checkout that graded", graded.Name, w.Task)
			}
			all = append(all, t)
		}
	}
	return all, nil
}
