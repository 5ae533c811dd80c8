//go:build !handout && !light

package command

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/notebooks/atomicfile"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/gradebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/sandbox"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/submission"
)

var gradeCommand = command{
	name:  "grade",
	args:  "SUBMISSIONS...",
	short: "grade what students have handed in, in a sandbox",
	long: `
Reads folders and zip files as learning platforms and shells leave them, a folder or a
file for each student, and writes a row of points for each student to --out. Of
what is handed in it takes the answers to the exercises, by the ids of their cells and
by the names of their functions. All else is this checkout's, the tests above all:
whatever a student does to them does not matter. Neither Python nor a kernel is needed:

    go run ./scripts/lab grade submissions.zip --out grades.csv --feedback feedback

notebooks/INSTRUCTORS.md tells which folders and files are known, what the columns and
notes mean, and how written answers are marked.

Each exercise is scored by itself, with the student's other answers and with the worked
ones in their place, and the better counts. Answers are compiled and run in a sandbox
(bubblewrap, Linux): no network, no files but this checkout and the data sets, limits of
time, memory, disk and output. Without a sandbox nothing is run (apt install bubblewrap
gets it); --unsafe runs answers as they are, and is for one's own.

What was scored is kept in the file of --out with .journal behind its name. The same
command goes on from there after it was stopped, and after a test or a solution was
changed scores only what depends on it.

--feedback DIR writes a page for each student: points, failed cases and which known
mistake an answer looks like. Hidden cases are counted there, not shown.

--mark prints the address of a page on this machine, on which written answers are marked
by hand: one task of all students side by side, by keyboard. What is marked is kept at
once in the file of --out with .marks behind its name, which every later run reads, and
an interrupt writes the tables.

--shard 2/5 grades every fifth student, from the second on, and writes JSON to --out;
--merge makes one table of such files, which are its arguments.`,
	run: func(fs *flag.FlagSet) func(context.Context, *env, []string) error {
		var g grading
		fs.StringVar(&g.out, "out", "", "write a row of points for each student to this `FILE`: CSV, or JSON if its name ends in .json")
		fs.StringVar(&g.json, "json", "", "write everything that was found to this `FILE` as JSON")
		fs.StringVar(&g.canvas, "canvas", "", "write a `FILE` for Canvas's grade book")
		fs.StringVar(&g.moodle, "moodle", "", "write a `FILE` for Moodle's grading worksheet")
		fs.StringVar(&g.feedback, "feedback", "", "write a page for each student to this folder `DIR`")
		fs.StringVar(&g.notebooks, "notebooks", "", "grade these notebooks, separated by commas; by default those that were handed in")
		fs.StringVar(&g.student, "student", "", "grade only the student of this `NAME` or id, and print the points; the file of --out stays as it is")
		fs.StringVar(&g.assignment, "assignment", "mllabs", "what Canvas calls the assignment")
		fs.StringVar(&g.roster, "roster", "", "take the order of rows from this `FILE`, a platform's list of participants, with a row for who handed in nothing")
		fs.StringVar(&g.shard, "shard", "", "grade part I of N, `I/N`")
		fs.BoolVar(&g.merge, "merge", false, "merge the JSON of shards")
		fs.BoolVar(&g.mark, "mark", false, "mark the written answers on a page, until an interrupt")
		fs.IntVar(&g.jobs, "jobs", runtime.NumCPU(), "how many students are graded at the same time")
		fs.BoolVar(&g.unsafe, "unsafe", false, "run answers without a sandbox: for one's own only")
		return g.run
	},
}

// grading is the command's flags.
type grading struct {
	out, json, canvas, moodle, feedback   string
	notebooks, student, assignment, shard string
	roster                                string
	merge, mark, unsafe                   bool
	jobs                                  int

	part, parts int // of the shard, from 0
}

func (g *grading) check(args []string) error {
	switch {
	case len(args) == 0:
		return usagef("name the folders or zip files that hold what was handed in")
	case g.out == "":
		return usagef("--out FILE names the table of points")
	case g.jobs < 1:
		return usagef("--jobs is %d; at least one student must be graded", g.jobs)
	case g.merge && (g.shard != "" || g.student != "" || g.notebooks != "" || g.unsafe):
		return usagef("--merge grades nothing; it goes with --out, --json, --canvas, --moodle and --feedback")
	case g.shard != "" && filepath.Ext(g.out) != ".json":
		return usagef("--out %s: a shard writes JSON, which --merge reads; name it like %s.json", g.out, strings.TrimSuffix(g.out, filepath.Ext(g.out)))
	case g.mark && (g.shard != "" || g.student != ""):
		return usagef("--mark shows the answers of the whole class; leave --shard and --student out")
	case g.shard != "" && g.roster != "":
		return usagef("a shard has only some of the students; give --roster to --merge")
	case g.shard != "" && (g.canvas != "" || g.moodle != "" || g.feedback != ""):
		return usagef("a shard has only some of the students; give --canvas, --moodle and --feedback to --merge")
	}
	var err error
	if g.part, g.parts, err = parseShard(g.shard); err != nil {
		return err
	}
	if !g.merge {
		if err := g.apart(args); err != nil {
			return err
		}
	}
	files := map[string]string{}
	for _, f := range []struct{ flag, path string }{{"--out", g.out}, {"--json", g.json}, {"--canvas", g.canvas}, {"--moodle", g.moodle}, {"--out with .journal", g.out + ".journal"}, {"--out with .marks", g.marksFile()}} {
		if f.path == "" {
			continue
		}
		if info, err := os.Stat(filepath.Dir(f.path)); err != nil || !info.IsDir() {
			return usagef("%s %s: there is no folder %s", f.flag, f.path, filepath.Dir(f.path))
		}
		if err := atomicfile.CanWrite(f.path); err != nil {
			return usagef("%s %s: %v", f.flag, f.path, err)
		}
		path := filepath.Clean(f.path)
		if other, twice := files[path]; twice {
			return usagef("%s and %s both name %s", other, f.flag, f.path)
		}
		files[path] = f.flag
	}
	return nil
}

// apart refuses to write into a folder that holds what was handed in: the next run would
// take what this one wrote for a student's.
func (g *grading) apart(places []string) error {
	for _, f := range []struct{ flag, path string }{{"--out", g.out}, {"--json", g.json}, {"--canvas", g.canvas}, {"--moodle", g.moodle}, {"--feedback", g.feedback}} {
		if f.path == "" {
			continue
		}
		path, err := filepath.Abs(f.path)
		if err != nil {
			return err
		}
		for _, place := range places {
			folder, err := filepath.Abs(place)
			if err != nil {
				return err
			}
			if rel, err := filepath.Rel(folder, path); err == nil && filepath.IsLocal(rel) {
				return usagef("%s %s is within %s, where the next run would take it for a student's; name a place elsewhere", f.flag, f.path, place)
			}
		}
	}
	return nil
}

func (g *grading) run(ctx context.Context, e *env, args []string) error {
	if err := g.check(args); err != nil {
		return err
	}
	var list []gradebook.Participant
	if g.roster != "" {
		data, err := os.ReadFile(g.roster)
		if err != nil {
			return err
		}
		if list, err = gradebook.ReadRoster(data); err != nil {
			return fmt.Errorf("--roster %s: %w", g.roster, err)
		}
	}
	return g.finish(ctx, e, func() (*gradebook.Book, error) {
		var book *gradebook.Book
		var err error
		if g.merge {
			book, err = merged(args)
		} else {
			book, err = g.grade(ctx, e, args)
		}
		if err == nil && len(list) > 0 && g.student == "" {
			book.Enrol(list)
		}
		return book, err
	})
}

// grade grades what was handed in.
func (g *grading) grade(ctx context.Context, e *env, args []string) (*gradebook.Book, error) {
	runner := sandbox.Unsafe()
	if !g.unsafe {
		var err error
		if runner, err = sandbox.Find(ctx); err != nil {
			return nil, fmt.Errorf("nothing was run, because there is no sandbox to run it in: %w\n(--unsafe runs answers without one: for your own only)", err)
		}
	}
	set, err := submission.Open(args...)
	if err != nil {
		return nil, err
	}
	defer set.Close()
	if len(set.Passed) > 0 {
		e.say("not read, since no student handed them in: %s", enumerated(set.Passed))
	}
	students, err := g.wanted(set.Submissions)
	if err != nil {
		return nil, err
	}
	class := &class{env: e, runner: runner, jobs: g.jobs}
	if err := class.choose(ctx, g.notebooks, students, set.Submissions); err != nil {
		return nil, err
	}
	kept, err := openVerdicts(g.out + ".journal")
	if err != nil {
		return nil, err
	}
	defer kept.close()
	if kept.note != "" {
		e.say("%s.journal: %s", g.out, kept.note)
	}
	book, err := class.grade(ctx, kept)
	if err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("%w; what was scored is kept in %s.journal, and the same command goes on from there", err, g.out)
		}
		return nil, err
	}
	if kept.broken != nil {
		e.say("%s.journal: not all that was scored could be kept, and the next run scores the rest again: %v", g.out, kept.broken)
	}
	return book, nil
}

// wanted are the students of the shard, or the one that is asked for.
func (g *grading) wanted(all []submission.Submission) ([]submission.Submission, error) {
	if len(all) == 0 {
		return nil, errors.New("nothing was handed in: there is no student's folder and no file")
	}
	var list []submission.Submission
	for i, s := range all {
		if i%g.parts == g.part && (g.student == "" || s.Student == g.student || s.ID == g.student) {
			list = append(list, s)
		}
	}
	if len(list) == 0 && g.student != "" {
		names := make([]string, len(all))
		for i, s := range all {
			names[i] = s.Student
		}
		return nil, fmt.Errorf("no student is called %s; there are %s", g.student, enumerated(names))
	}
	return list, nil
}

// enumerated lists the first names of many.
func enumerated(names []string) string {
	const most = 10
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// merged makes one book of those in files.
func merged(files []string) (*gradebook.Book, error) {
	var parts []gradebook.Part
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		parts = append(parts, gradebook.Part{Name: name, JSON: data})
	}
	return gradebook.Merge(parts...)
}

// write writes what was asked for.
func (g *grading) write(e *env, book *gradebook.Book) error {
	type file struct {
		path string
		data []byte
	}
	var files []file
	add := func(path string, data []byte, err error) error {
		files = append(files, file{path, data})
		return err
	}
	var err error
	if g.student != "" { // the table of the class stays
		e.sayPoints(book)
	} else if filepath.Ext(g.out) == ".json" {
		data, jsonErr := book.JSON()
		err = add(g.out, data, jsonErr)
	} else {
		data, csvErr := book.CSV()
		err = add(g.out, data, csvErr)
	}
	if g.json != "" {
		data, jsonErr := book.JSON()
		err = cmp.Or(err, add(g.json, data, jsonErr))
	}
	without := map[string][]string{}
	if g.canvas != "" {
		data, left, csvErr := book.Canvas(g.assignment)
		without[g.canvas] = left
		err = cmp.Or(err, add(g.canvas, data, csvErr))
	}
	if g.moodle != "" {
		data, left, csvErr := book.Moodle()
		without[g.moodle] = left
		err = cmp.Or(err, add(g.moodle, data, csvErr))
	}
	if g.feedback != "" {
		for i, name := range book.FileNames() {
			page, pageErr := book.Students[i].Feedback()
			err = cmp.Or(err, add(filepath.Join(g.feedback, name+".html"), page, pageErr))
		}
		if err == nil {
			err = os.MkdirAll(g.feedback, 0o755)
		}
	}
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := atomicfile.Write(f.path, f.data); err != nil {
			return err
		}
	}
	for _, path := range []string{g.canvas, g.moodle} {
		if left := without[path]; len(left) > 0 {
			slices.Sort(left)
			e.say("%s: %s without an id in the names of their files, which have no row: %s", path, plural(len(left), "student"), enumerated(left))
		}
	}
	if n := book.Waiting(); n > 0 {
		e.say("%s still to be marked by hand; --mark shows them", plural(n, "written answer"))
	}
	if g.student == "" {
		e.say("%s: %s", g.out, plural(len(book.Students), "student"))
	}
	return nil
}

// sayPoints tells the points of each exercise.
func (e *env) sayPoints(book *gradebook.Book) {
	for _, s := range book.Students {
		e.say("%s: %v of %v points", s.Name, s.Points(), s.Of())
		for _, nb := range s.Notebooks {
			for _, q := range nb.Marks {
				e.say("  %s, exercise %d: %v of %v. %s", nb.Name, q.Exercise, q.Points, q.Of, q.Why)
			}
			for _, w := range nb.Written {
				e.say("  %s, %s: %s", nb.Name, w.Title, w.Says())
			}
		}
	}
}
