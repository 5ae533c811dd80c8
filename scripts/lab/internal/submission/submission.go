package submission

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

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

	named  string   // as the place is, to the byte
	more   int      // notebooks, beyond as many as are read
	passed []string // files that are no notebooks
	place  int      // among those given, from 0
}

// maxFiles is how many notebooks of one student are read.
const maxFiles = 200

// A File is a notebook that was handed in.
type File struct {
	Path  string // within the submission, to be shown only
	Whole string // as it was handed in: two files may have one path
	// Version is the number that the platform or a browser has given to what was handed in
	// or fetched again, 0 for the first.
	Version int
	entry
}

// Newer says whether a file was handed in after another: by the platform's own time, else by its
// number, where they have the same name but for it, else by the time at which they were last
// changed; 0 where nothing tells.
func (f File) Newer(than File) int {
	if !f.handed.IsZero() && !than.handed.IsZero() && !f.handed.Equal(than.handed) {
		return f.handed.Compare(than.handed)
	}
	if f.Version != than.Version && unnumbered(f.Path) == unnumbered(than.Path) {
		return cmp.Compare(f.Version, than.Version)
	}
	if f.time.Year() < 1990 || than.time.Year() < 1990 { // archives that know no times say 1980
		return 0
	}
	return f.time.Truncate(2 * time.Second).Compare(than.time.Truncate(2 * time.Second)) // as zip files count
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
	// Passed are files that are no student's.
	Passed  []string
	sources []*source
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
	for place, at := range places {
		src, err := sourceOf(at)
		if err != nil {
			set.Close()
			return nil, err
		}
		set.sources = append(set.sources, src)
		base := filepath.Base(at)
		course, others := submitted(src.entries)
		entries := byOwner(unwrapped(joined(course), strings.TrimSuffix(base, filepath.Ext(base))))
		folders := false
		openOlat := map[string]bool{}       // whether a folder is OpenOlat's
		numbered := map[string]string{}     // what Canvas's numbers belong to,
		twice := map[string]bool{"": false} // and those of several, which are not Canvas's
		for _, e := range entries {
			top, _, inFolder := strings.Cut(e.path, "/")
			folders = folders || inFolder
			if olat.MatchString(e.path) {
				openOlat[top] = true
			}
			number := ownerOf(e.path).number
			twice[number] = number != "" && (twice[number] || numbered[number] != "" && numbered[number] != top)
			numbered[number] = top
		}
		people := gradescope(entries)
		for _, e := range others {
			set.Passed = append(set.Passed, shown(e.path))
		}
		for _, e := range entries {
			top, rest, inFolder := strings.Cut(e.path, "/")
			if folders && !inFolder && lists.MatchString(e.path) || len(openOlat) > 0 && top == "solutions" {
				set.Passed = append(set.Passed, shown(e.path))
				continue
			}
			owners := []owner{ownerOf(e.path)}
			if twice[owners[0].number] {
				owners[0] = plainOwner(e.path)
			}
			if inFolder && people[top] != nil {
				owners = slices.Clone(people[top])
				for i := range owners {
					owners[i].file = rest
				}
			}
			for _, o := range owners {
				o.student = norm.NFC.String(o.student) // macOS takes letters and their marks apart
				e.handed = o.handed
				key := [2]string{o.student, o.id}
				if o.weekly { // looked for among those of this place only
					key[1] += fmt.Sprintf(" of %d", place)
				}
				s := found[key]
				if s == nil {
					s = &Submission{Student: shown(o.student), ID: o.id, named: o.student, place: place}
					found[key] = s
				}
				s.Late = s.Late || o.late || openOlat[top] && path.Base(o.file) == "Late_submission.txt"
				s.add(e, o, openOlat[top])
			}
		}
	}
	slices.Sort(set.Passed)
	for _, s := range merged(found) {
		slices.SortStableFunc(s.Files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
		slices.Sort(s.Problems)
		if len(s.passed) > 0 {
			s.Problems = append(s.Problems, passedOver(s.passed))
		}
		if s.more > 0 {
			s.Problems = append(s.Problems, fmt.Sprintf("%d more notebooks were handed in; at most %d are read", s.more, maxFiles))
		}
		for i, problem := range s.Problems { // which others go on behind
			s.Problems[i] = strings.TrimSuffix(problem, ".") + "."
		}
		set.Submissions = append(set.Submissions, *s)
	}
	slices.SortFunc(set.Submissions, func(a, b Submission) int {
		return cmp.Or(cmp.Compare(a.Student, b.Student), cmp.Compare(a.ID, b.ID), cmp.Compare(a.named, b.named))
	})
	set.tellApart()
	return set, nil
}

// add adds a file that was handed in.
func (s *Submission) add(e entry, o owner, openOlat bool) {
	switch {
	case openOlat && instructors.MatchString(o.file) || strings.HasPrefix(o.file, "Feedback Attachment(s)/"):
		s.Problems = append(s.Problems, shown(o.file)+" is the instructor's and is not read.")
	case e.problem != "":
		s.Problems = append(s.Problems, e.problem)
	case slices.Contains(packed, strings.ToLower(path.Ext(o.file))):
		s.Problems = append(s.Problems, shown(o.file)+" is no zip file; hand in the notebook itself")
	case !isNotebook(e):
		s.passed = append(s.passed, shown(o.file))
	case len(s.Files) == maxFiles:
		s.more++
	default:
		s.Files = append(s.Files, File{Path: shown(o.file), Whole: shown(e.path), Version: cmp.Or(o.version, version(o.file)), entry: e})
	}
}

// merged are the submissions, those of one student together: a platform that numbers participants
// anew for each assignment has one name under another number in each place. Where a place has a name
// twice, nobody can tell whose number is whose.
func merged(found map[[2]string]*Submission) []*Submission {
	var list []*Submission
	weekly := map[string][]*Submission{}
	for key, s := range found {
		if strings.Contains(key[1], " of ") {
			weekly[s.named] = append(weekly[s.named], s)
		} else {
			list = append(list, s)
		}
	}
	for _, of := range weekly {
		slices.SortFunc(of, func(a, b *Submission) int { return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.ID, b.ID)) })
		known := map[string]*Submission{}
		once := true
		for i, s := range of {
			once = once && (i == 0 || of[i-1].place != s.place)
		}
		for _, s := range of {
			key := s.ID
			if once {
				key = ""
			}
			first := known[key]
			if first == nil {
				known[key] = s
				list = append(list, s)
				continue
			}
			first.Late = first.Late || s.Late
			first.Files, first.Problems, first.passed, first.more = append(first.Files, s.Files...), append(first.Problems, s.Problems...), append(first.passed, s.passed...), first.more+s.more
		}
	}
	return list
}

// olat is a path of OpenOlat's, instructors what is not the student's in such an archive.
var (
	olat        = regexp.MustCompile(`^[^/]+/\d+_submissions/`)
	instructors = regexp.MustCompile(`^\d+_(task|corrections(_\d+)?|assessment)/`)
)

// passedOver names files that are no notebooks.
func passedOver(names []string) string {
	const most = 4
	slices.Sort(names)
	list := strings.Join(names[:min(most, len(names))], ", ")
	switch n := len(names) - most; {
	case len(names) == 1:
		return "Not read, since it is no notebook: " + list + "."
	case n > 0:
		list += fmt.Sprintf(" and %d more", n)
	}
	return "Not read, since they are no notebooks: " + list + "."
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

// wrappers are folders that hold the students' folders: nbgrader's, ILIAS's in English and German,
// and that of Teams.
var wrappers = []string{"submissions", "submitted", "abgaben", "submitted files"}

// driveStamp is what Google Drive adds to the name of a folder that it makes an archive of.
var driveStamp = regexp.MustCompile(`-\d{8}T\d{6}Z(-\d+)+$`)

// lists are files that platforms put beside the students' folders: Brightspace's and Gradescope's
// tables of contents, and Sakai's, ILIAS's and OpenOlat's tables of grades.
var lists = regexp.MustCompile(`(?i)^(.*/)?(index\.html|submission_metadata\.yml|[^/]+\.(csv|xlsx?))$`)

// joined are the entries without the archives that Google Drive made of one folder, where nothing
// else lies beside them or there are several: it splits what is large.
func joined(entries []entry) []entry {
	stem := func(e entry) (of, top, rest string) {
		top, rest, _ = strings.Cut(e.path, "/")
		if of = driveStamp.ReplaceAllString(unnumbered(top), ""); of == unnumbered(top) || named(top) {
			of = ""
		}
		return of, top, rest
	}
	parts, all := map[string]map[string]bool{}, map[string]bool{}
	for _, e := range entries {
		of, top, _ := stem(e)
		if parts[of] == nil {
			parts[of] = map[string]bool{}
		}
		parts[of][top], all[top] = true, true
	}
	entries = slices.Clone(entries)
	for i, e := range entries {
		if of, _, rest := stem(e); of != "" && rest != "" && (len(parts[of]) > 1 || len(all) == 1) {
			entries[i].path = strings.TrimPrefix(rest, of+"/")
		}
	}
	return entries
}

// submitted are the files in nbgrader's folder of that name, apart from the others, where its folder
// of solutions lies beside it and a course holds them all, and so with the two folders of Teams; else
// all.
func submitted(entries []entry) (in, others []entry) {
	if len(entries) == 0 {
		return entries, nil
	}
	top, _, _ := strings.Cut(entries[0].path, "/")
	for _, pair := range [][3]string{{"", "source/", "submitted/"}, {top + "/", "source/", "submitted/"}, {"", "Working files/", "Submitted files/"}, {top + "/", "Working files/", "Submitted files/"}} {
		course := pair[0]
		holds := func(folder string) bool {
			return slices.ContainsFunc(entries, func(e entry) bool { return strings.HasPrefix(e.path, course+folder) })
		}
		all := !slices.ContainsFunc(entries, func(e entry) bool { return !strings.HasPrefix(e.path, course) })
		if !all || !holds(pair[1]) || !holds(pair[2]) {
			continue
		}
		for _, e := range entries {
			if strings.HasPrefix(e.path, course+pair[2]) {
				in = append(in, e)
			} else {
				others = append(others, e)
			}
		}
		return in, others
	}
	return entries, nil
}

// unwrapped removes the folders around all entries down to one that is called as such folders are,
// or the outermost if it is named after the archive.
func unwrapped(entries []entry, archive string) []entry {
	var common []string
	for i, e := range slices.DeleteFunc(slices.Clone(entries), func(e entry) bool { return lists.MatchString(e.path) }) {
		folders := strings.Split(path.Dir(e.path), "/")
		if i == 0 {
			common = folders
		}
		n := 0
		for n < min(len(common), len(folders)) && common[n] == folders[n] {
			n++
		}
		common = common[:n]
	}
	if len(common) == 0 || common[0] == "." {
		return entries
	}
	level := 0
	for i, folder := range common {
		if named(folder) {
			break
		}
		// A student alone may have one folder in another, whatever that is called.
		if slices.Contains(wrappers, strings.ToLower(folder)) && (level == i || i == len(common)-1 && !holdsNotebook(entries, common)) {
			level = i + 1
		} else if i == 0 && folder == unnumbered(driveStamp.ReplaceAllString(archive, "")) {
			level = 1
		}
	}
	return below(entries, level)
}

// holdsNotebook says whether a notebook lies in a folder itself.
func holdsNotebook(entries []entry, folders []string) bool {
	return slices.ContainsFunc(entries, func(e entry) bool {
		return path.Dir(e.path) == strings.Join(folders, "/") && !lists.MatchString(e.path)
	})
}

// within are what lies in a student's folder on some platforms, and nowhere else: Sakai, OpenOlat
// (GTACourseNode.java), and Gradescope, which has only numbers.
var within = regexp.MustCompile(`^([^/]+/(Submission attachment\(s\)|\d+_submissions)/|submission_\d+/)`)

// byOwner takes away folders that hold the folders of students, such as one for each week: those
// above the first level at which most in each are called as platforms call a student's, or at
// which several hold the same notebook, as no student's folders do.
func byOwner(entries []entry) []entry {
	for level := range 4 {
		holders := map[string]map[string]map[string]bool{} // by the folder above, of each notebook
		direct := false
		marked := map[string]map[string]bool{} // by the folder above, and the name at this level
		for _, e := range entries {
			parts := strings.Split(e.path, "/")
			if len(parts) <= level {
				continue
			}
			above := strings.Join(parts[:level], "/")
			if !lists.MatchString(e.path) {
				if marked[above] == nil {
					marked[above] = map[string]bool{}
				}
				marked[above][parts[level]] = marked[above][parts[level]] || named(parts[level]) || within.MatchString(strings.Join(parts[level:], "/"))
			}
			file := strings.ToLower(unnumbered(e.path))
			switch {
			case !strings.Contains(file, ".ipynb"):
			case len(parts) == level+1:
				direct = true
			default:
				if holders[above] == nil {
					holders[above] = map[string]map[string]bool{}
				}
				if holders[above][file] == nil {
					holders[above][file] = map[string]bool{}
				}
				holders[above][file][parts[level]] = true
			}
		}
		students := len(holders) > 0 && !direct
		for _, files := range holders {
			twice := false
			for _, folders := range files {
				twice = twice || len(folders) > 1
			}
			students = students && twice
		}
		platform := len(marked) > 0
		for _, names := range marked { // each, so that no student decides on others' folders
			called := 0
			for name, is := range names {
				// A student may call a file as Canvas does, so that one alone says nothing.
				if is && (level == 0 || len(names) > 1 || ownerOf(name).number == "") {
					called++
				}
			}
			platform = platform && 2*called > len(names)
		}
		if students || platform {
			return below(entries, level)
		}
		if direct {
			break
		}
	}
	return entries
}

// named says whether a platform may have named a folder or file.
func named(name string) bool {
	return slices.ContainsFunc(layouts, func(layout *regexp.Regexp) bool { return layout.MatchString(name) })
}

// below are the entries without the folders above a level.
func below(entries []entry, level int) []entry {
	entries = slices.Clone(entries)
	for i := range entries {
		parts := strings.Split(entries[i].path, "/")
		entries[i].path = strings.Join(parts[min(level, len(parts)-1):], "/")
	}
	return entries
}

type owner struct {
	student, id, file string
	version           int
	handed            time.Time // as the platform tells it, zero where it does not
	late              bool
	weekly            bool   // the id is of one assignment
	number            string // of the student and the file, on Canvas
}

var (
	// layouts are what platforms call a student's folder, or a file where there are no folders.
	layouts = []*regexp.Regexp{
		// Moodle (mod/assign/classes/downloader.php): NAME_PARTICIPANT_assignsubmission_file, with an
		// underscore and the file's name behind it where Moodle was asked for no folders. The group
		// of those without one has no number.
		regexp.MustCompile(`(?s)^(?P<name>[^/]+?)(?:_(?P<participant>\d+))?_assignsubmission_[a-z]+_?(?P<file>.*)$`),
		// Blackboard ("Assignment File Download"): ASSIGNMENT_LOGIN_attempt_TIME_FILE, in the
		// language of the course, and a receipt of each attempt.
		regexp.MustCompile(`(?s)^[^_/]+_(?P<name>[^/]+?)_\pL+_(?P<time>\d{4}(?:-\d\d){5})(?:_(?P<file>.+)|\.txt)$`),
		// Brightspace ("Download" of an assignment): NUMBER-NUMBER - NAME - TIME, with a dash and the
		// file's name behind it in older ones.
		regexp.MustCompile(`(?s)^(?P<participant>\d+-\d+) - (?P<name>[^/]+?) - (?P<time>[^-/]*\d{4}[^-/]*?)(?: - (?P<file>.+))?$`),
		// nbgrader's exchange (nbgrader/exchange/default/submit.py): LOGIN+ASSIGNMENT+TIME[+RANDOM].
		regexp.MustCompile(`^(?P<name>[^/+]+)\+[^/+]+\+(?P<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)[^/+]*(?:\+[^/+]*)?$`),
		// Canvas (lib/content_zipper.rb): NAME[_LATE]_STUDENT_NUMBER_FILE, or text and links
		// instead of a file; [LATE_]anon_LETTERS where names are hidden.
		regexp.MustCompile(`(?s)^(?:(?P<late>LATE)_)?(?P<name>anon_[0-9A-Za-z]+)_(?P<number>[1-9]\d+)_(?P<file>.+)$`),
		regexp.MustCompile(`(?s)^(?P<name>[^/]+?)(?:_(?P<late>LATE))?_(?P<id>\d+)_(?:(?P<number>[1-9]\d+)_(?P<file>.+)|(?:text|link)\.html)$`),
	}
	// canvasVersion is what Canvas adds to the name of a file that is handed in again.
	canvasVersion = regexp.MustCompile(`-(\d+)(\.[^./]*)$`)
	// copyNumber is what browsers and file managers add to the name of a file that is there already.
	copyNumber = regexp.MustCompile(` ?\((\d+)\)(\.|$)`)
	// fileEnd is the ending of a file's name, and what stands before one that a mail program added.
	fileEnd    = regexp.MustCompile(`(?i)(\.ipynb)?(\.[^.]*)?$`)
	moodleMark = regexp.MustCompile(`_\d+_assignsubmission_`)
)

// ownerOf reads from a path whose file it is.
func ownerOf(name string) owner {
	top, rest, folder := strings.Cut(name, "/")
	for i, layout := range layouts {
		m := layout.FindStringSubmatch(top)
		if m == nil {
			continue
		}
		of := func(group string) string {
			if at := layout.SubexpIndex(group); at >= 0 {
				return m[at]
			}
			return ""
		}
		o := owner{student: of("name"), id: cmp.Or(of("id"), of("participant")), file: of("file"), handed: timeOf(of("time")), late: of("late") != "", weekly: of("participant") != ""}
		if v := canvasVersion.FindStringSubmatch(o.file); v != nil && i >= len(layouts)-2 {
			o.file = canvasVersion.ReplaceAllString(o.file, "$2")
			o.version, _ = strconv.Atoi(v[1])
		}
		if number := of("number"); number != "" {
			o.number = o.student + "_" + o.id + "_" + number
		}
		if len(moodleMark.FindAllString(top, 2)) > 1 {
			// Students choose the names of files, and often their own: one that holds
			// another's number would get that student's mark. It gets no number.
			o = owner{student: top, file: o.file}
		}
		if folder { // an archive that was handed in, too
			o.file = rest
		}
		o.file = cmp.Or(o.file, top)
		return o
	}
	return plainOwner(name)
}

// plainOwner takes the folder's name, or the file's, for the student's.
func plainOwner(name string) owner {
	top, rest, folder := strings.Cut(name, "/")
	if folder {
		return owner{student: top, file: rest}
	}
	return owner{student: fileEnd.ReplaceAllString(top, ""), file: top}
}

// clock is a time of day after a year, as Brightspace writes it.
var clock = regexp.MustCompile(`(\d{4}) (\d{1,2})[_.:]?(\d\d)`)

// timeOf reads when something was handed in, the zero time where it cannot.
func timeOf(text string) time.Time {
	text = clock.ReplaceAllString(text, "$1 $2:$3")
	for _, layout := range []string{"2006-01-02-15-04-05", time.DateTime, "Jan 2, 2006 3:04 PM", "January 2, 2006 3:04 PM", "2 January, 2006 3:04 PM", "2 January 2006 15:04"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t
		}
	}
	return time.Time{}
}

// version is the number in the name of a copy, unnumbered the name without it.
func version(file string) int {
	if m := copyNumber.FindStringSubmatch(path.Base(file)); m != nil {
		n, _ := strconv.Atoi(m[1])
		return n
	}
	return 0
}

func unnumbered(file string) string { return copyNumber.ReplaceAllString(path.Base(file), "$2") }

// shown is a name without what a terminal, a table or a page would take for a command. Joiners
// stay between the letters of scripts that are written with them.
func shown(name string) string {
	runes := []rune(strings.ToValidUTF8(name, "?"))
	for i, r := range runes {
		switch {
		case (r == '\u200c' || r == '\u200d') && i > 0 && i+1 < len(runes) && joins(runes[i-1]) && joins(runes[i+1]):
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar || unicode.IsSpace(r) && r != ' ':
			runes[i] = '?'
		}
	}
	clean := string(runes)
	if len(clean) > maxName {
		clean = strings.ToValidUTF8(clean[:maxName], "") + "…"
	}
	return cmp.Or(clean, "?")
}

// joins is whether a letter or its mark is of a script in which joiners make a difference.
func joins(r rune) bool {
	return unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Bengali, unicode.Devanagari, unicode.Gujarati, unicode.Gurmukhi, unicode.Kannada, unicode.Malayalam, unicode.Oriya, unicode.Sinhala, unicode.Tamil, unicode.Telugu)
}

// maxName is the longest name that is shown, in bytes.
const maxName = 200
