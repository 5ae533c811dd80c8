package nbkit

import (
	"bytes"
	"errors"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot"

	"github.com/mllabs-go/mllabs/mlcore/plotx"
)

// capture collects what is sent to the front-end.
func capture(t *testing.T) *[]output {
	t.Helper()
	var sent []output
	old := send
	send = func(o output) { sent = append(sent, o) }
	t.Cleanup(func() { send = old })
	return &sent
}

func testFigure() plotx.Figure {
	p := plot.New()
	p.Title.Text = "a figure"
	return plotx.Sized(p, 144, 72)
}

func TestShow(t *testing.T) {
	sent := capture(t)
	dir := t.TempDir()
	t.Setenv(FiguresEnv, dir)
	current = ""
	t.Cleanup(func() { current = "" })

	for _, c := range []struct {
		name, notebook, figure, alt, want string
		fig                               plotx.Figure
	}{
		{"no alt", "lab/n", "f", " \n", "no alternative text", testFigure()},
		{"bad name", "lab/n", "../f", "alt", "figure name", testFigure()},
		{"nil figure", "lab/n", "f", "alt", "nil", nil},
	} {
		*sent = nil
		current = c.notebook
		Show(c.fig, c.figure, c.alt)
		if len(*sent) != 1 || (*sent)[0].kind != kindError || !strings.Contains((*sent)[0].text, c.want) {
			t.Errorf("%s: sent %+v", c.name, *sent)
		}
	}

	*sent = nil
	Notebook("lab/n")
	Show(testFigure(), "f", `a "quoted" <alt>`)
	if len(*sent) != 1 {
		t.Fatalf("sent %d outputs", len(*sent))
	}
	o := (*sent)[0]
	if o.kind != kindFigure || o.text != `a "quoted" <alt>` || !strings.Contains(o.html, `alt="a &#34;quoted&#34; &lt;alt&gt;"`) || !strings.Contains(o.html, `width="192"`) {
		t.Errorf("sent kind %s, text %s, html %.200s", o.kind, o.text, o.html)
	}
	file, err := os.ReadFile(filepath.Join(dir, "lab", "n", "f.png"))
	if err != nil || !bytes.Equal(file, o.png) {
		t.Fatalf("file differs from what was shown: %v", err)
	}
	img, err := png.Decode(bytes.NewReader(file))
	if err != nil || img.Bounds().Dx() != 2*plotx.DPI {
		t.Errorf("144 points are %d pixels wide, error %v", img.Bounds().Dx(), err)
	}
}

// A figure of the course is saved in the checkout, that of any other notebook beside it.
func TestWhereFiguresAreSaved(t *testing.T) {
	capture(t)
	t.Cleanup(func() { current = "" })
	root, beside, set := t.TempDir(), t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte("module github.com/mllabs-go/mllabs\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv(RootEnv, root)
	t.Chdir(beside)
	for _, c := range []struct{ notebook, figures, want string }{
		{"lab/n", "", filepath.Join(root, "figures", "lab", "n")},
		{"", "", filepath.Join(beside, "figures")},
		{"lab/n", set, filepath.Join(set, "lab", "n")},
		{"", set, set},
	} {
		t.Setenv(FiguresEnv, c.figures)
		current = c.notebook
		Show(testFigure(), "f", "alt")
		if err := os.Remove(filepath.Join(c.want, "f.png")); err != nil {
			t.Errorf("notebook %q, %s=%q: %v", c.notebook, FiguresEnv, c.figures, err)
		}
	}
}

// A figure whose font lacks characters is shown with a warning that names both.
func TestShowWarnsOfMissingCharacters(t *testing.T) {
	sent := capture(t)
	t.Setenv(FiguresEnv, t.TempDir())
	t.Cleanup(func() { current = "" })
	Notebook("lab/n")
	warnings, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	before := os.Stderr
	os.Stderr = warnings
	t.Cleanup(func() { os.Stderr = before })
	for _, c := range []struct{ title, want string }{
		{"cats α", ""},
		{"猫", "nbkit.Show: figure \"cats\" shows □ for \"猫\": its font has no such characters\n"},
	} {
		p := plot.New()
		p.Title.Text = c.title
		Show(plotx.Sized(p, 144, 72), "cats", "cats")
		text, err := os.ReadFile(warnings.Name())
		if err != nil || string(text) != c.want {
			t.Errorf("%q: warned %q (%v), want %q", c.title, text, err, c.want)
		}
	}
	if len(*sent) != 2 {
		t.Errorf("%d figures are shown", len(*sent))
	}
}

func TestNotebookRefusesBadNames(t *testing.T) {
	sent := capture(t)
	t.Cleanup(func() { current = "" })
	for _, name := range []string{"", "lab3", "../x/y", "/lab3/x", "lab3/x y", "a/b/c/d", "/00_x", "00_x/"} {
		*sent, current = nil, ""
		Notebook(name)
		if current != "" || len(*sent) != 1 {
			t.Errorf("%q was taken", name)
		}
	}
}

func TestNotebookTakesNames(t *testing.T) {
	sent := capture(t)
	t.Cleanup(func() { current = "" })
	for _, name := range []string{"lab3/01_nearest_neighbours", "00_go_notebooks", "lab3/exercises/05_1_losses", "exercises/00_go_notebooks"} {
		if Notebook(name); current != name || len(*sent) != 0 {
			t.Errorf("%q was refused", name)
		}
	}
}

func TestProgress(t *testing.T) {
	sent := capture(t)
	sum := 0
	for i := range Progress("rounds", 4) {
		sum += i
	}
	last := (*sent)[len(*sent)-1]
	if sum != 6 || last.text != "✓ rounds: 4 of 4" || strings.Contains(last.html, "progress") {
		t.Errorf("sum %d, last %+v", sum, last)
	}
	for i := range Progress("rounds", 4) {
		if i == 2 {
			break
		}
	}
	last = (*sent)[len(*sent)-1]
	if last.text != "✗ stopped: rounds: 2 of 4" {
		t.Errorf("last %q", last.text)
	}
	if first := (*sent)[0]; first.id == "" || first.kind != kindProgress {
		t.Errorf("first %+v", first)
	}
}

func TestMust(t *testing.T) {
	if Must(3, nil) != 3 {
		t.Error("Must(3, nil) is not 3")
	}
	defer func() {
		if err, _ := recover().(error); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("panicked with %v", err)
		}
	}()
	Must(0, os.ErrNotExist)
}
