package main

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/notebooks/lab3"
	"gonum.org/v1/gonum/mat"
)

// The defaults of the hand-out's script.
func TestDefaults(t *testing.T) {
	o, err := parseOptions(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	o.seed = 0 // drawn anew where none is given
	want := options{samples: 50, neighbours: 3, minSize: 3, weak: 10, forest: 10, resolution: 20, file: "week_3.pdf"}
	if o != want {
		t.Errorf("defaults %+v, want %+v", o, want)
	}
}

func TestOptionsInAnyOrderAndBothNames(t *testing.T) {
	want := options{seed: 7, samples: 178, neighbours: 5, minSize: 2, weak: 20, forest: 30, resolution: 100, data: "d.csv", file: "out.png"}
	for _, args := range []string{
		"-s 7 -n 178 -k 5 -m 2 -w 20 -f 30 -r 100 -d d.csv out.png",
		"out.png --seed 7 --num_samples 178 --neighbours 5 --min_size 2 --weak 20 --forest 30 --resolution 100 --data d.csv",
		"-s=7 --num_samples=178 out.png -k 5 -m 2 -w 20 -f 30 -r 100 -d d.csv",
	} {
		if o, err := parseOptions(strings.Fields(args), nil); err != nil || o != want {
			t.Errorf("%s: %+v, %v", args, o, err)
		}
	}
}

func TestHelpNamesEveryOption(t *testing.T) {
	var out bytes.Buffer
	if code := run([]string{"-h"}, &out, &out); code != 0 {
		t.Errorf("exit status %d", code)
	}
	for _, name := range []string{"seed", "num_samples", "neighbours", "min_size", "weak", "forest", "resolution", "data"} {
		if !strings.Contains(out.String(), "--"+name) {
			t.Errorf("help does not name --%s:\n%s", name, out.String())
		}
	}
}

func TestDrawsFourMaps(t *testing.T) {
	file := filepath.Join(t.TempDir(), "week_3.png")
	var out, errs bytes.Buffer
	if code := run([]string{"-s", "0", "-n", "120", file}, &out, &errs); code != 0 {
		t.Fatalf("exit status %d: %s", code, &errs)
	}
	for _, want := range []string{
		"all right: 0 - correct", "all wrong: 1 - correct", "fifty-fifty: 0.5 - correct",
		"plotted 3-Nearest Neighbours", "plotted Decision Tree", "plotted Random Forest (10 Trees)", "plotted AdaBoost (10 Stumps)",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("output lacks %q:\n%s", want, &out)
		}
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.DecodeConfig(f)
	// Two rows of two square panels, over one legend.
	if err != nil || img.Width < 1000 || max(img.Width, img.Height)-min(img.Width, img.Height) > img.Width/20 {
		t.Errorf("picture of %d×%d (%v)", img.Width, img.Height, err)
	}
}

func TestSameSeedSameBytes(t *testing.T) {
	dir := t.TempDir()
	var pictures [3][]byte
	for i, seed := range []string{"1", "1", "2"} {
		file := filepath.Join(dir, "f.png")
		var errs bytes.Buffer
		if code := run([]string{"-s", seed, file}, &bytes.Buffer{}, &errs); code != 0 {
			t.Fatal(errs.String())
		}
		var err error
		if pictures[i], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(pictures[0], pictures[1]) {
		t.Error("the same seed drew two different figures")
	}
	if bytes.Equal(pictures[0], pictures[2]) {
		t.Error("another seed drew the same forest")
	}
}

func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const head = "X1,X2,Binary,Multi\n"
	good := head + "1,2,0,0\n2,1,1,1\n3,3,0,2\n4,1,1,0\n"
	for _, tc := range []struct {
		name, args string
		code       int
		says       []string
	}{
		{"no such file", "-d " + filepath.Join(dir, "none.csv"), 1, []string{"none.csv"}},
		{"empty file", "-d " + file("empty.csv", ""), 1, []string{"empty.csv"}},
		{"header only", "-d " + file("head.csv", head), 1, []string{"head.csv"}},
		{"ragged", "-d " + file("ragged.csv", head+"1,2,0\n"), 1, []string{"ragged.csv", "line 2"}},
		{"no Multi", "-d " + file("column.csv", "X1,X2,Binary\n1,2,0\n"), 1, []string{"column.csv", "Multi"}},
		{"text", "-d " + file("text.csv", head+"1,2,0,0\n1,two,1,1\n"), 1, []string{"text.csv", "line 3", "X2", "two"}},
		{"NaN", "-d " + file("nan.csv", head+"1,NaN,0,0\n"), 1, []string{"nan.csv", "line 2", "X2"}},
		{"Inf", "-d " + file("inf.csv", head+"1,2,0,0\nInf,2,0,0\n"), 1, []string{"inf.csv", "line 3", "X1"}},
		{"one class", "-d " + file("one.csv", head+"1,2,0,0\n2,2,0,1\n3,1,0,1\n"), 1, []string{"one.csv", "Binary", "one class"}},
		{"three binary classes", "-k 1 -m 1 -d " + file("three.csv", head+"1,2,0,0\n2,2,1,1\n3,1,2,1\n"), 1, []string{"three.csv", "Binary", "3 classes"}},
		{"too many neighbours", "-k 5 -m 1 -d " + file("good.csv", good), 1, []string{"5 neighbours of only 4 samples"}},
		{"large min_size", "-k 1 -m 5 -d " + file("good.csv", good), 1, []string{"at least 5", "only 4"}},
		{"no samples", "-n 0", 2, []string{"--num_samples"}},
		{"flat resolution", "-r 1", 2, []string{"--resolution"}},
		{"unknown option", "--colour red", 2, []string{"colour"}},
		{"a forest for ever", "-f 10001", 2, []string{"--forest is 10001", "10000"}},
		{"boosting for ever", "-w 10001", 2, []string{"--weak is 10001", "10000"}},
		{"two files", "a.pdf b.pdf", 2, []string{"one output file"}},
		{"unknown format", "figure.bmp", 2, []string{"figure.bmp", ".pdf"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out.png")
			args := strings.Fields(tc.args)
			if tc.code == 1 {
				args = append(args, out)
			}
			var errs bytes.Buffer
			if code := run(args, &bytes.Buffer{}, &errs); code != tc.code {
				t.Errorf("exit status %d, want %d", code, tc.code)
			}
			for _, s := range tc.says {
				if !strings.Contains(errs.String(), s) {
					t.Errorf("error %q does not say %q", errs.String(), s)
				}
			}
			if _, err := os.Stat(out); err == nil {
				t.Error("a figure was written all the same")
			}
		})
	}
}

// A figure without a place is told before the work, and no folder is made for it.
func TestNoPlaceForTheFigure(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(t.TempDir(), "f.png")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{filepath.Join(dir, "none", "f.png"), folder} {
		var out, errs bytes.Buffer
		if code := run([]string{file}, &out, &errs); code != 1 || out.Len() > 0 || !strings.Contains(errs.String(), file) {
			t.Errorf("exit status %d, %q, %q", code, out.String(), errs.String())
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("made %v (%v)", entries, err)
	}
}

// A student's copy: functions that return nothing or panic get a placeholder,
// wrong ones are told.
func TestUnimplementedAndWrongParts(t *testing.T) {
	o := options{samples: 50, neighbours: 3, minSize: 3, weak: 10, forest: 10, resolution: 10, file: filepath.Join(t.TempDir(), "f.png")}
	s, err := loadSamples(o)
	if err != nil {
		t.Fatal(err)
	}
	l := handout
	l.neighbours = func(*mat.Dense, []int, *mat.Dense, int) []int { return nil }
	l.treeTrain = func(*mat.Dense, []int, lab3.TreeOptions) *lab3.Tree { panic("not implemented") }
	l.misclassification = func([]int, int, []float64) float64 { panic("not implemented") }
	var out bytes.Buffer
	if err := draw(o, l, s, &out); err != nil {
		t.Errorf("unimplemented parts are not an error: %v", err)
	}
	if n := strings.Count(out.String(), notImplemented); n != 3 {
		t.Errorf("%d parts said to be missing, want 3:\n%s", n, &out)
	}
	if _, err := os.Stat(o.file); err != nil {
		t.Error(err)
	}

	l = handout
	l.misclassification = func([]int, int, []float64) float64 { return 1 }
	l.forestPredict = func([]*lab3.Tree, *mat.Dense) []int { return []int{0} }
	l.adaPredict = func([]*lab3.Tree, []float64, *mat.Dense) []int { var none []int; return none[:0:0][1:] }
	out.Reset()
	err = draw(o, l, s, &out)
	if err == nil {
		t.Fatal("wrong parts passed")
	}
	if want := "failed: misclassification, Random Forest (10 Trees), AdaBoost (10 Stumps); what is wrong is said above"; err.Error() != want {
		t.Errorf("error %q, want %q", err, want)
	}
	for _, want := range []string{"should be 0.5", "1 predictions for 100 points", "AdaBoost (10 Stumps): panic"} {
		if strings.Count(out.String(), want) != 1 {
			t.Errorf("%q is not said once:\n%s", want, &out)
		}
	}
}
