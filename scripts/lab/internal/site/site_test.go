package site

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	nethtml "golang.org/x/net/html"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/export"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// read reads all files of a folder, by their paths with slashes.
func read(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(rel)], err = os.ReadFile(name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// unpacked is what is in a compressed file, and the bytes of others.
func unpacked(t *testing.T, name string, data []byte) []byte {
	t.Helper()
	var r io.Reader = bytes.NewReader(data)
	var err error
	switch path.Ext(name) {
	case ".gz":
		r, err = gzip.NewReader(r)
	case ".br":
		r = brotli.NewReader(r)
	}
	if err == nil {
		data, err = io.ReadAll(r)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return data
}

// Every link leads to a file of the site and to a place in it, every page has the policy,
// and nothing is asked for outside.
func TestLinks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, sample(t), dir, func(o *Options) { o.Answers, o.Cover, o.CoverAlt = true, []byte("\x89PNG"), "a map" })
	files := read(t, dir)
	docs, ids := map[string]*nethtml.Node{}, map[string]bool{}
	for name, data := range files {
		if path.Ext(name) != ".html" {
			continue
		}
		doc, err := nethtml.Parse(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		docs[name] = doc
		for n := range doc.Descendants() {
			for _, a := range n.Attr {
				if a.Key != "id" {
					continue
				}
				if ids[name+"#"+a.Val] {
					t.Errorf("%s has two elements with the id %s", name, a.Val)
				}
				ids[name+"#"+a.Val] = true
			}
		}
	}
	for _, want := range []string{"index.html", "00_guide.html", "lab/01_first.html", "lab/01_first.worked.html", "data/index.html", "data/iris.html"} {
		if docs[want] == nil {
			t.Errorf("there is no page %s", want)
		}
	}
	links := 0
	for name, doc := range docs {
		policies := 0
		for n := range doc.Descendants() {
			if n.Type == nethtml.ElementNode && n.Data == "style" {
				t.Errorf("%s has a style element, which its policy forbids", name)
			}
			for _, a := range n.Attr {
				switch {
				case strings.HasPrefix(a.Key, "on"):
					t.Errorf("%s: <%s> has %s", name, n.Data, a.Key)
				case a.Key == "content" && strings.Contains(a.Val, "default-src"):
					policies++
					if a.Val != contentPolicy {
						t.Errorf("%s has the policy %s", name, a.Val)
					}
				case a.Key == "src" || a.Key == "href" || a.Key == "data-file":
					u, err := url.Parse(a.Val)
					if err != nil {
						t.Errorf("%s: %v", name, err)
						continue
					}
					if u.Scheme != "" || u.Host != "" {
						if n.Data != "a" || u.Scheme != "https" && u.Scheme != "http" {
							t.Errorf("%s: <%s> asks for %s", name, n.Data, a.Val)
						}
						continue
					}
					links++
					target := path.Join(path.Dir(name), u.Path)
					if u.Path == "" {
						target = name
					}
					if _, ok := files[target]; !ok || strings.HasPrefix(u.Path, "/") {
						t.Errorf("%s: <%s> leads to %s, which is not there", name, n.Data, a.Val)
					}
					if u.Fragment != "" && !ids[target+"#"+u.Fragment] {
						t.Errorf("%s: %s leads to no place", name, a.Val)
					}
				}
			}
		}
		if policies != 1 {
			t.Errorf("%s has %d policies", name, policies)
		}
	}
	if links < 100 {
		t.Errorf("only %d links were looked at", links)
	}
	// Search leads to places that are there.
	places := regexp.MustCompile(`"page":"([^"]+)"`).FindAllStringSubmatch(string(files["search-index.js"]), -1)
	for _, m := range places {
		if name, _, anchored := strings.Cut(m[1], "#"); docs[name] == nil || anchored && !ids[m[1]] {
			t.Errorf("search leads to %s", m[1])
		}
	}
	if len(places) < 10 {
		t.Errorf("search has %d places", len(places))
	}
	// Neither do scripts and styles ask for anything outside.
	outside := regexp.MustCompile(`(?:url\(|import\(?|fetch\(|src\s*=|@import)\s*["'(]*https?:`)
	for name, data := range files {
		if ext := path.Ext(name); name != "search-index.js" && (ext == ".js" || ext == ".css") && outside.Match(data) {
			t.Errorf("%s asks for %s", name, outside.Find(data))
		}
	}
}

// What stands in a page.
func TestPages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	summary := write(t, sample(t), dir, func(o *Options) { o.Answers = true })
	if summary.Notebooks != 3 || summary.DataSets == 0 || summary.Files < 50 {
		t.Errorf("the summary is %+v", summary)
	}
	files := read(t, dir)
	for _, c := range []struct{ name, want string }{
		{"index.html", `<a href="lab/01_first.html">1 The first</a> <span class="core">core</span> <span class="builds">a <em>rate</em></span>`},
		{"index.html", `<figure class="map" tabindex="0"><img src="pictures/`},
		{"index.html", "<h2>The lab</h2>\n<p>A course of\ntwo notebooks.</p>"},
		{"index.html", `Begin with <a href="00_guide.html">A guide</a>`},
		{"lab/01_first.html", `<title>About 01_first · mllabs</title>`},
		{"lab/01_first.html", `<meta name="description" content="The first sentence of it, with .">`},
		{"lab/01_first.html", `data-notebook="lab/01_first"`},
		{"lab/01_first.html", `data-engine="../engine/"`},
		{"lab/01_first.html", `<a href="02_second.html#more">the other</a> and <a href="../00_guide.html">the guide</a>`},
		{"lab/01_first.html", `<p class="role">Check, 3 points</p>`},
		{"lab/01_first.html", `class="cell exercise" id="cell-rate"`},
		{"lab/01_first.html", `<section class="text place" data-cell="answer" data-label="Question 1">`},
		{"lab/01_first.html", `rel="prev" href="../00_guide.html"`},
		{"lab/01_first.html", `<a href="01_first.worked.html">worked answers</a>`},
		{"lab/01_first.worked.html", `the-secret`},
		{"lab/01_first.worked.html", `<p class="role">Answer</p>`},
		{"lab/01_first.worked.html", `<a href="02_second.worked.html#more">`},
		{"00_guide.html", `<a href="lab/01_first.html">the first</a>`},
		{"data/iris.html", `pictures/`},
		{"data/car.html", `unacc`},
		{"data/index.html", `Permission is hereby granted`},
		{"index.html", `<a href="library.html">Library</a>`},
		{"lab/01_first.html", `<a href="../library.html">Library</a>`},
		{"library.html", `a quince`},
		{"library.html", `<th scope="row">a tree</th><td>scikit-learn</td>`},
		{"library.html", `<td class="number">1 ms</td><td class="number">4 ms</td><td class="ratio"><span class="bar" style="--part: 1.000"></span><span>4.0</span></td>`},
		{"library.html", `<span class="bar" style="--part: 0.250"></span><span>1.0</span>`},
		{"library.html", `Made by hand on Monday.`},
	} {
		if !strings.Contains(string(files[c.name]), c.want) {
			t.Errorf("%s lacks %s", c.name, c.want)
		}
	}
	if strings.Contains(string(files["lab/01_first.html"]), "base64") {
		t.Error("a page has fonts or pictures in it, which files would share")
	}
	if nb, err := notebook.Parse(files["lab/01_first.ipynb"]); err != nil || len(nb.Cells) != 18 || nb.Cells[11].ID != "rate" || nb.Cells[17].ID != "check-all" {
		t.Errorf("the notebook to download: %d cells, %v", len(nb.Cells), err)
	}
}

// PDFs are made of the form that students get; one that cannot be printed is told.
func TestPDFs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	summary := write(t, sample(t), dir, func(o *Options) {
		o.Answers = true
		o.Print = func(_ context.Context, s export.Source) ([]byte, error) {
			if s.Topic == "02_second" {
				return nil, errors.New("no paper")
			}
			data, err := s.Notebook.Encode()
			if err != nil || strings.Contains(string(data), "the-secret") {
				t.Errorf("%s is printed worked, %v", s.Topic, err)
			}
			return []byte("%PDF of " + s.Topic), nil
		}
	})
	files := read(t, dir)
	if string(files["lab/01_first.pdf"]) != "%PDF of 01_first" || !strings.Contains(string(files["lab/01_first.html"]), `<a href="01_first.pdf">PDF</a>`) {
		t.Error("there is no PDF, or no link to it")
	}
	if strings.Contains(string(files["lab/02_second.html"]), "PDF") || !slices.Contains(summary.Warnings, "lab/02_second: no PDF: no paper") {
		t.Errorf("what could not be printed: %q", summary.Warnings)
	}
}

// A page leads to the next notebook, and past those that deepen a subject to the next one of
// the core.
func TestNextInTheCore(t *testing.T) {
	t.Parallel()
	p, dir := sample(t), t.TempDir()
	third := worked("lab", "03_third", code("last", "%%\n// fake: print last"))
	third.Canonicalise()
	save(t, third, p.Path("notebooks", "lab", "03_third.ipynb"))
	save(t, exercise.Copy("lab/03_third", third, exercise.Links{HasCopy: func(string) bool { return true }}), p.Path("notebooks", "lab", project.Exercises, "03_third.ipynb"))
	put(t, p.Path("notebooks", "path.json"), `{"courses": [{"folder": "lab", "modules": [{"steps": [{"notebook": "01_first", "core": true}, {"notebook": "03_third", "core": true}]}]}]}`)
	write(t, p, dir, func(*Options) {})
	files := read(t, dir)
	link := `<a class="next" href="../lab/03_third.html"><span>Next in the core</span> About 03_third</a>`
	for name, want := range map[string]bool{"lab/01_first.html": true, "lab/02_second.html": false, "lab/03_third.html": false} {
		if got := strings.Contains(string(files[name]), link); got != want {
			t.Errorf("%s has the link: %v", name, got)
		}
	}
	for _, want := range []string{`rel="next" href="../lab/02_second.html"`, link} {
		if !strings.Contains(string(files["lab/01_first.html"]), want) {
			t.Errorf("the first page lacks %s", want)
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	page := `<h2 id="a">The <em>k</em></h2><p>As <span class="math" role="math" aria-label="k^2"><svg><text>9</text></svg></span> &lt; <code>Rows</code> <a href="x">grows</a>.</p>`
	if got := strings.Join(strings.Fields(words(page)), " "); got != "The k As k^2 < Rows grows." {
		t.Errorf("%q", got)
	}
}

// Without an engine pages say so.
func TestNoEngine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, sample(t), dir, func(o *Options) { o.Engine = nil })
	page, err := os.ReadFile(filepath.Join(dir, "lab", "01_first.html"))
	if err != nil || !strings.Contains(string(page), "made without what runs cells") || strings.Contains(string(page), "data-engine") {
		t.Errorf("a page without an engine: %v", err)
	}
}

// No file of a site for students holds a solution, a hidden case or an answer.
func TestNoSolutions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, sample(t), dir, func(o *Options) { o.Quick = false })
	secrets := regexp.MustCompile(`the-secret|the-hidden|the-answer|BEGIN SOLUTION|HIDDEN TESTS`)
	packed := 0
	for name, data := range read(t, dir) {
		text := unpacked(t, name, data)
		if !bytes.Equal(text, data) {
			packed++
		}
		if found := secrets.Find(text); found != nil {
			t.Errorf("%s holds %s", name, found)
		}
	}
	if packed < 20 {
		t.Errorf("only %d files are compressed", packed)
	}
	// The search finds them where they are, or it would find nothing here either.
	write(t, sample(t), dir, func(o *Options) { o.Answers = true })
	found := 0
	for name, data := range read(t, dir) {
		if m := secrets.Find(unpacked(t, name, data)); m != nil {
			found++
			if !strings.Contains(name, ".worked.") || string(m) == "the-hidden" {
				t.Errorf("with answers, %s holds %s", name, m)
			}
		}
	}
	if found == 0 {
		t.Error("with answers, no file holds any")
	}
}

// A copy in which somebody has worked is refused, and so is one that is out of date.
func TestWorkedCopy(t *testing.T) {
	t.Parallel()
	p, dir := sample(t), t.TempDir()
	nbs, err := p.Notebooks()
	if err != nil {
		t.Fatal(err)
	}
	worked, err := notebook.Read(p.Path("notebooks", "lab", "01_first.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	copied := p.Path("notebooks", "lab", "exercises", "01_first.ipynb")
	cell := func(nb *notebook.Notebook, id string) *notebook.Cell {
		return nb.Cells[slices.IndexFunc(nb.Cells, func(c *notebook.Cell) bool { return c.ID == id })]
	}
	for name, change := range map[string]func(*notebook.Notebook){
		"a solution":   func(nb *notebook.Notebook) { cell(nb, "rate").Source = "func Rate(wrong, n int) float64 { return 1 }" },
		"another text": func(nb *notebook.Notebook) { cell(nb, "text").Source += " More." },
		"an output": func(nb *notebook.Notebook) {
			cell(nb, "print").Outputs = []*notebook.Output{{Type: "stream", Name: "stdout", Text: "mine"}}
		},
	} {
		nb := exercise.Copy("lab/01_first", worked, exercise.Links{HasCopy: hasCopy(p)})
		change(nb)
		save(t, nb, copied)
		_, err := Write(context.Background(), dir, Options{Project: p, Notebooks: nbs, HasCopy: hasCopy(p), Engine: fakeEngine})
		if err == nil || !strings.Contains(err.Error(), "01_first.ipynb is not the students' copy; lab exercises lab/01_first writes it") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(read(t, dir)) != 0 {
		t.Error("something was written")
	}
}

// Nor does the site of a real course, of whose solutions every line is looked for.
func TestNoSolutionsOfTheCourse(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a course takes its time")
	}
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	p := project.Project{Root: root}
	nbs, err := p.Resolve([]string{"lab3"})
	if err != nil {
		t.Fatal(err)
	}
	squeeze := func(text string) string { return strings.Join(strings.Fields(text), "") }
	lines := map[string]string{} // without white space, to how they stand in a notebook
	for _, nb := range nbs {
		worked, err := notebook.Read(nb.Path)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range exercise.SolutionLines(worked) {
			lines[squeeze(line.Text)] = line.Text
		}
	}
	if len(lines) < 100 {
		t.Fatalf("only %d lines are looked for", len(lines))
	}
	dir := t.TempDir()
	summary := write(t, p, dir, func(o *Options) { o.Notebooks, o.Quick = nbs, false })
	for _, w := range summary.Warnings {
		if strings.HasPrefix(w, "lab3") && !strings.Contains(w, "there is no notebook") {
			t.Error(w)
		}
	}
	tags := regexp.MustCompile(`<[^>]*>`)
	for name, data := range read(t, dir) {
		switch path.Ext(name) {
		case ".png", ".otf", ".ttf", ".gz", ".br": // what is compressed is compared below
			continue
		}
		text := string(data)
		switch path.Ext(name) {
		case ".html": // code is cut into pieces by its colours
			text = html.UnescapeString(tags.ReplaceAllString(text, ""))
		case ".ipynb", ".js":
			text = strings.NewReplacer(`\"`, `"`, `\n`, "\n", `\t`, "\t", `\\`, `\`, `\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(text)
		}
		text = squeeze(text)
		for line, as := range lines {
			if strings.Contains(text, line) {
				t.Errorf("%s holds a line of a solution: %s", name, as)
			}
		}
	}
	for name, data := range read(t, dir) {
		plain := strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".br")
		if plain == name {
			continue
		}
		want, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(plain)))
		if err != nil || !bytes.Equal(unpacked(t, name, data), want) {
			t.Errorf("%s is not %s: %v", name, plain, err)
		}
	}
}

// Two runs write the same bytes.
func TestSameBytes(t *testing.T) {
	t.Parallel()
	p, dir := sample(t), t.TempDir()
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
	asForStudents := func(o *Options) { o.Quick = false }
	write(t, p, one, asForStudents)
	write(t, p, two, asForStudents)
	first, second := read(t, one), read(t, two)
	for name, data := range first {
		if !bytes.Equal(data, second[name]) {
			t.Errorf("%s differs", name)
		}
	}
	if len(first) != len(second) {
		t.Errorf("%d files, then %d", len(first), len(second))
	}
}

// A folder of somebody else stays as it is.
func TestForeignFolder(t *testing.T) {
	t.Parallel()
	p, dir := sample(t), t.TempDir()
	put(t, filepath.Join(dir, "thesis.tex"), "x")
	nbs, err := p.Notebooks()
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{dir, filepath.Join(dir, "thesis.tex")} {
		if _, err := Write(context.Background(), target, Options{Project: p, Notebooks: nbs, HasCopy: hasCopy(p)}); err == nil || !strings.Contains(err.Error(), target) {
			t.Errorf("%s: %v", target, err)
		}
	}
	if got := read(t, dir); len(got) != 1 || string(got["thesis.tex"]) != "x" {
		t.Errorf("the folder holds %d files", len(got))
	}
}

// Who is about to put a part in the place of the whole is told before the work begins.
func TestPartForWhole(t *testing.T) {
	t.Parallel()
	p, dir := sample(t), t.TempDir()
	nbs, err := p.Notebooks()
	if err != nil {
		t.Fatal(err)
	}
	for _, some := range [][]project.Notebook{nbs, nbs, nbs[:1], nbs[:1], nbs} {
		var said []string
		old, _ := readMark(dir)
		write(t, p, dir, func(o *Options) {
			o.Notebooks = some
			o.Log = func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }
		})
		told := strings.Contains(said[0], fmt.Sprintf("holds a site of %d notebooks; this one, of %d,", old.Notebooks, len(some)))
		if want := old.Notebooks > len(some); told != want {
			t.Errorf("%d notebooks for %d: %q", len(some), old.Notebooks, said[0])
		}
	}
}

// What somebody has put beside the pages stays, and is named.
func TestForeignFiles(t *testing.T) {
	t.Parallel()
	p, dir := sample(t), t.TempDir()
	write(t, p, dir, nil)
	write(t, p, dir, nil) // a site alone is replaced
	nbs, err := p.Notebooks()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".git", "CNAME", "notes.gz"} {
		file := filepath.Join(dir, name)
		put(t, file, "mine")
		if _, err := Write(context.Background(), dir, Options{Project: p, Notebooks: nbs, HasCopy: hasCopy(p)}); err == nil || !strings.Contains(err.Error(), dir+" holds "+name+",") {
			t.Errorf("%s: %v", name, err)
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != "mine" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
}

// What fails or is interrupted leaves the site as it was, and nothing beside it.
func TestFailure(t *testing.T) {
	t.Parallel()
	p, parent := sample(t), t.TempDir()
	dir := filepath.Join(parent, "site")
	write(t, p, dir, nil)
	before := read(t, parent)
	nbs, err := p.Notebooks()
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("no engine today")
	ctx, cancel := context.WithCancel(context.Background())
	for _, c := range []struct {
		engine Engine
		want   error
	}{
		{func(context.Context, string) (string, error) { return "", broken }, broken},
		{func(context.Context, string) (string, error) { cancel(); return "x", nil }, context.Canceled},
	} {
		if _, err := Write(ctx, dir, Options{Project: p, Notebooks: nbs, HasCopy: hasCopy(p), Engine: c.engine}); !errors.Is(err, c.want) {
			t.Errorf("%v, want %v", err, c.want)
		}
	}
	after := read(t, parent)
	if len(after) != len(before) {
		t.Errorf("%d files, before %d", len(after), len(before))
	}
	for name, data := range before {
		if !bytes.Equal(data, after[name]) {
			t.Errorf("%s has changed", name)
		}
	}
}

// A run that is killed leaves the old site, and the next run clears up after it.
func TestKilled(t *testing.T) {
	const folder, root = "MLLABS_SITE_TEST_FOLDER", "MLLABS_SITE_TEST_ROOT"
	if dir := os.Getenv(folder); dir != "" { // the one that is killed
		p := project.Project{Root: os.Getenv(root)}
		write(t, p, dir, func(o *Options) {
			o.Engine = func(ctx context.Context, dir string) (string, error) {
				put(t, filepath.Join(dir, "half"), "written")
				os.Stdout.WriteString("now\n")
				select {}
			}
		})
		return
	}
	p, parent := sample(t), t.TempDir()
	dir := filepath.Join(parent, "site")
	write(t, p, dir, nil)
	before := read(t, dir)
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
	cmd.Env = append(os.Environ(), folder+"="+dir, root+"="+p.Root)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAtLeast(out, make([]byte, 4), 4); err != nil {
		t.Fatal(err)
	}
	cmd.Process.Kill()
	cmd.Wait()
	after := read(t, dir)
	for name, data := range before {
		if !bytes.Equal(data, after[name]) {
			t.Errorf("%s has changed", name)
		}
	}
	left := func() int {
		entries, err := os.ReadDir(parent)
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	if left() < 2 {
		t.Error("the run that was killed had begun nothing")
	}
	defer func(at time.Time) { started = at }(started)
	started = time.Now().Add(time.Second) // as the next run's
	write(t, p, dir, nil)
	if n := left(); n != 1 {
		t.Errorf("%d files and folders are left", n)
	}
}

// A run that is killed between the two renames has moved the old site away.
func TestKilledWhileSwapping(t *testing.T) {
	p, parent := sample(t), t.TempDir()
	dir := filepath.Join(parent, "site")
	write(t, p, dir, nil)
	before := read(t, dir)
	if err := os.Rename(dir, filepath.Join(parent, ".site.tmp-123.old")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(parent, ".site.tmp-123"), 0o755); err != nil {
		t.Fatal(err)
	}
	defer func(at time.Time) { started = at }(started)
	started = time.Now().Add(time.Second)
	nbs, err := p.Notebooks()
	if err != nil {
		t.Fatal(err)
	}
	failing := func(context.Context, string) (string, error) { return "", io.EOF }
	if _, err := Write(context.Background(), dir, Options{Project: p, Notebooks: nbs, HasCopy: hasCopy(p), Engine: failing}); !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	if after := read(t, parent); len(after) != len(before) {
		t.Errorf("%d files came back of %d", len(after), len(before))
	}
}
