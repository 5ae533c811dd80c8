package submission

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// A Submission is what one student has handed in.
type Submission struct {
	// Student is what the place is called after: "lovelaceada" (Canvas), "Ada Lovelace"
	// (Moodle), or a folder's or a file's name. It may hold anything but control characters.
	Student string
	// ID is the number by which the learning management system knows the student, or the
	// submission; "" where none is told.
	ID   string
	Late bool // as Canvas marks it
	// Files are the notebooks, by their paths.
	Files []File
	// Problems are files that were not read, each as a sentence.
	Problems []string

	named string // as the place is, to the byte
	more  int    // notebooks, beyond as many as are read
}

// maxFiles is how many notebooks of one student are read.
const maxFiles = 200

// A File is a notebook that was handed in.
type File struct {
	Path string // within the submission, to be shown only
	entry
}

// Read reads the sources of the notebook's cells.
func (f File) Read() (*notebook.Notebook, error) {
	data, err := read(f.entry, MaxNotebook)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	nb, err := notebook.ParseSources(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	return nb, nil
}

// A Set is all that was handed in. It is to be closed after the files have been read.
type Set struct {
	Submissions []Submission // by student and id
	sources     []*source
}

// Close ends the reading.
func (s *Set) Close() error {
	var errs []error
	for _, src := range s.sources {
		errs = append(errs, src.close())
	}
	return errors.Join(errs...)
}

// Open lists the submissions in folders and zip files. A folder holds a folder for each
// student, or a file; an archive is looked into, one within it as well.
func Open(places ...string) (*Set, error) {
	set := &Set{}
	found := map[[2]string]*Submission{}
	for _, at := range places {
		src, err := sourceOf(at)
		if err != nil {
			set.Close()
			return nil, err
		}
		set.sources = append(set.sources, src)
		base := filepath.Base(at)
		for _, e := range unwrapped(src.entries, strings.TrimSuffix(base, filepath.Ext(base))) {
			o := ownerOf(e.path)
			key := [2]string{o.student, o.id}
			s := found[key]
			if s == nil {
				s = &Submission{Student: shown(o.student), ID: o.id, named: o.student}
				found[key] = s
			}
			s.Late = s.Late || o.late
			switch {
			case e.problem != "":
				s.Problems = append(s.Problems, e.problem)
			case strings.EqualFold(path.Ext(o.file), ".ipynb") && len(s.Files) == maxFiles:
				s.more++
			case strings.EqualFold(path.Ext(o.file), ".ipynb"):
				s.Files = append(s.Files, File{shown(o.file), e})
			case slices.Contains(packed, strings.ToLower(path.Ext(o.file))):
				s.Problems = append(s.Problems, shown(o.file)+" is no zip file; hand in the notebook itself")
			}
		}
	}
	for _, s := range found {
		slices.SortStableFunc(s.Files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
		slices.Sort(s.Problems)
		if s.more > 0 {
			s.Problems = append(s.Problems, fmt.Sprintf("%d more notebooks were handed in; at most %d are read", s.more, maxFiles))
		}
		set.Submissions = append(set.Submissions, *s)
	}
	slices.SortFunc(set.Submissions, func(a, b Submission) int {
		return cmp.Or(cmp.Compare(a.Student, b.Student), cmp.Compare(a.ID, b.ID), cmp.Compare(a.named, b.named))
	})
	set.tellApart()
	return set, nil
}

// tellApart numbers students whose names look alike when they are shown, because what is
// written of one would be taken for the other's.
func (s *Set) tellApart() {
	taken := map[[2]string]bool{}
	for i := range s.Submissions {
		x := &s.Submissions[i]
		name := x.Student
		for n := 2; taken[[2]string{x.Student, x.ID}]; n++ {
			x.Student = fmt.Sprintf("%s (%d)", name, n)
		}
		taken[[2]string{x.Student, x.ID}] = true
	}
}

// packed are the ends of archives that are not looked into.
var packed = []string{".7z", ".bz2", ".gz", ".rar", ".tar", ".tgz", ".xz"}

// wrappers are folders that hold the students' folders.
var wrappers = []string{"submissions", "submitted"}

// unwrapped removes a folder around all entries that is named after the archive, or as
// such folders are.
func unwrapped(entries []entry, archive string) []entry {
	for {
		if len(entries) == 0 {
			return entries
		}
		top, _, _ := strings.Cut(entries[0].path, "/")
		if top != archive && !slices.Contains(wrappers, strings.ToLower(top)) {
			return entries
		}
		for _, e := range entries {
			if !strings.HasPrefix(e.path, top+"/") {
				return entries
			}
		}
		entries = slices.Clone(entries)
		for i := range entries {
			entries[i].path = strings.TrimPrefix(entries[i].path, top+"/")
		}
		archive = "" // once only
	}
}

type owner struct {
	student, id, file string
	late              bool
}

var (
	// canvasName is NAME[_LATE]_STUDENT_SUBMISSION_FILE. Canvas leaves no underscore in names.
	canvasName = regexp.MustCompile(`(?s)^([^_/]+)_(LATE_)?(\d+)_(\d+)_(.+)$`)
	// canvasVersion is what Canvas adds to the name of a file that is handed in again.
	canvasVersion = regexp.MustCompile(`-\d+(\.[^./]*)$`)
	// moodleName is NAME_PARTICIPANT_assignsubmission_file, with an underscore and the
	// file's name behind it where Moodle was asked for no folders.
	moodleName = regexp.MustCompile(`(?s)^([^/]+?)_(\d+)_assignsubmission_[a-z]+_?(.*)$`)
	moodleMark = regexp.MustCompile(`_\d+_assignsubmission_`)
)

// ownerOf reads from a path whose file it is.
func ownerOf(name string) owner {
	top, rest, folder := strings.Cut(name, "/")
	if m := moodleName.FindStringSubmatch(top); m != nil {
		file := m[3]
		if folder {
			file = rest
		}
		if len(moodleMark.FindAllString(top, 2)) > 1 {
			// Students choose the names of files, and often their own: one that holds
			// another's number would get that student's mark. It gets no number.
			return owner{student: top, file: file}
		}
		return owner{student: m[1], id: m[2], file: file}
	}
	if m := canvasName.FindStringSubmatch(top); m != nil {
		file := canvasVersion.ReplaceAllString(m[5], "$1")
		if folder { // an archive that was handed in
			file = rest
		}
		return owner{student: m[1], id: m[3], file: file, late: m[2] != ""}
	}
	if folder {
		return owner{student: top, file: rest}
	}
	return owner{student: strings.TrimSuffix(top, path.Ext(top)), file: top}
}

// shown is a name without what a terminal, a table or a page would take for a command.
func shown(name string) string {
	clean := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar || unicode.IsSpace(r) && r != ' ' {
			return '?'
		}
		return r
	}, strings.ToValidUTF8(name, "?"))
	if len(clean) > maxName {
		clean = strings.ToValidUTF8(clean[:maxName], "") + "…"
	}
	return cmp.Or(clean, "?")
}

// maxName is the longest name that is shown, in bytes.
const maxName = 200
