package modelfile_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"gonum.org/v1/gonum/mat"
)

// What the documentation of the package states: how many bytes loading a file may take,
// and a prediction of some rows.
func loadBound(size int) uint64 { return uint64(64<<20 + 256*size) }

func predictBound(size, rows, features int) uint64 {
	return uint64(16<<20 + rows*(1<<20+512*size+512*features))
}

// taken is how many bytes f allocates, garbage included, or by how many bytes of memory
// the process grows, where that is more.
func taken(t *testing.T, name string, f func()) uint64 {
	t.Helper()
	var before, after runtime.MemStats
	grown := peak(t, name, func() {
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
	})
	return max(grown, after.TotalAlloc-before.TotalAlloc)
}

// sizes are how much a file may claim to have of anything.
var sizes = []int64{1 << 10, 1 << 14, 1 << 17, 1 << 20, 1 << 24, math.MaxInt32, 1 << 40, 1 << 62}

// Each size in a file of each kind is replaced by greater ones, in the outermost object
// that has it and in all that do, as their sizes have to agree; with the Schema, which
// vouches for the number of columns, and without, as files of v0.1 may be. What is refused
// says so, and what is accepted answers, within the bounds.
func TestClaimedSizes(t *testing.T) {
	if !inChild(t) {
		return
	}
	accepted, refused := 0, 0
	for _, file := range jsonFixtures(t) {
		for _, name := range sizesIn(object(t, file.text)["model"]) {
			for _, size := range sizes {
				for _, form := range []struct{ all, bare bool }{{}, {all: true}, {bare: true}, {true, true}} {
					m := object(t, file.text)
					done := false
					each(m["model"], func(o map[string]any) {
						if _, has := o[name]; has && (form.all || !done) {
							o[name], done = size, true
						}
						if _, has := o["schema"]; has && form.bare {
							o["schema"] = -1
						}
					})
					text, err := json.Marshal(m)
					if err != nil {
						t.Fatal(err)
					}
					if withinBounds(t, fmt.Sprintf("%s, %s = %d", file.name, name, size), text) == nil {
						accepted++
					} else {
						refused++
					}
				}
			}
		}
	}
	t.Logf("%d files accepted, %d refused", accepted, refused)
	if accepted == 0 || refused == 0 {
		t.Error("want some of each")
	}
}

// Files that are made to take memory by other means than a single size.
func TestCraftedFiles(t *testing.T) {
	if !inChild(t) {
		return
	}
	model := func(t *testing.T, kind string) map[string]any {
		text, err := os.ReadFile(fixture(kind + ".json"))
		if err != nil {
			t.Fatal(err)
		}
		m := object(t, text)["model"].(map[string]any)
		each(m, func(o map[string]any) {
			if _, has := o["schema"]; has {
				o["schema"] = -1
			}
		})
		return m
	}
	column := func(name string, levels []string) map[string]any {
		c := map[string]any{"name": name, "has_levels": levels != nil, "unknown": "error"}
		if levels != nil {
			c["levels"] = map[string]any{"values": levels}
		}
		return c
	}
	upTo := func(n int) []int {
		v := make([]int, n)
		for i := range v {
			v[i] = i
		}
		return v
	}
	type crafted struct {
		name  string
		model map[string]any
		good  bool // an honest model of many columns, levels or members, or like one
	}
	var all []crafted
	add := func(name string, model map[string]any, good bool) { all = append(all, crafted{name, model, good}) }

	// A vector of weights for each pair of classes, of support vectors that are not there.
	for _, d := range []int{1 << 14, 1 << 20, 1 << 24} {
		m := model(t, "svm.Classifier")
		m["kernel"].(map[string]any)["kind"] = "linear"
		m["features"], m["support"], m["support_vectors"] = d, []int{}, []float64{}
		m["classes"], m["present"] = 30, upTo(30)
		var machines []any
		for low := range 30 {
			for high := low + 1; high < 30; high++ {
				sum := map[string]any{"support": []int{}, "coef": []float64{}, "intercept": 0}
				machines = append(machines, map[string]any{"low": low, "high": high, "sum": sum})
			}
		}
		m["machines"] = machines
		add(fmt.Sprintf("a support vector machine of %d columns", d), m, d < 1<<17)
	}
	// Names that are made of others.
	for _, letters := range []int{10, 200_000} {
		levels := make([]string, 20_000)
		for i := range levels {
			levels[i] = fmt.Sprint(i)
		}
		m := model(t, "preprocess.OneHot")
		m["input_columns"] = []any{column(strings.Repeat("x", letters), levels)}
		m["picked"], m["places"] = []int{0}, []any{map[string]any{"levels": upTo(len(levels))}}
		add(fmt.Sprintf("one-hot columns with a name of %d letters", letters), m, letters == 10)
	}
	for _, of := range []struct{ columns, letters, degree int }{{300, 20, 2}, {20, 12, 4}, {12, 4, 8}, {1000, 12, 2}, {1000, 1000, 2}, {1, 1_000_000, 1000}, {1, 4, 1000}} {
		m := model(t, "preprocess.Polynomial")
		var columns []any
		for j := range of.columns {
			columns = append(columns, column(fmt.Sprintf("%0*d", of.letters, j), nil))
		}
		m["input_columns"], m["picked"], m["degree"] = columns, upTo(of.columns), of.degree
		add(fmt.Sprintf("products of %d columns of %d letters to degree %d", of.columns, of.letters, of.degree), m, of.letters <= 20)
	}
	for _, letters := range []int{5, 5000} {
		levels, classes, columns, tables := []string{"a"}, make([]string, 100), make([]any, 100), make([]any, 100)
		for k := range classes {
			classes[k] = fmt.Sprint(k)
		}
		for j := range columns {
			columns[j] = column(fmt.Sprintf("%0*d", letters, j), levels)
			tables[j] = map[string]any{"encodings": make([]float64, 3*len(classes))}
		}
		m := model(t, "preprocess.TargetEncoder")
		m["input_columns"], m["picked"], m["tables"] = columns, upTo(len(columns)), tables
		m["has_classes"], m["classes"] = true, map[string]any{"values": classes}
		add(fmt.Sprintf("encodings by class with names of %d letters", letters), m, letters == 5)
	}
	// Bytes that are read once for each model around them, in JSON.
	large := model(t, "tree.Regressor")
	const nodes = 2*5000 + 1
	cut, feature, right := make([]any, nodes), make([]int, nodes), make([]int, nodes)
	for i := range nodes {
		cut[i], feature[i], right[i] = "-Inf", -1, i
		if i%2 == 0 && i < nodes-1 {
			cut[i], feature[i], right[i] = i, 0, i+2
		}
	}
	large["threshold"], large["feature"], large["right"], large["samples"] = cut, feature, right, slices.Repeat([]int{1}, nodes)
	large["missing_left"] = slices.Repeat([]bool{false}, nodes)
	for _, name := range []string{"impurity", "weight", "value"} {
		large[name] = slices.Repeat([]float64{1}, nodes)
	}
	for range 60 {
		outer := model(t, "ensemble.VotingRegressor")
		outer["members"], outer["weights"] = []any{large}, []float64{}
		large = outer
	}
	add("a large tree within 60 models", large, true)
	// Models within models, each of which has a row of probabilities.
	for _, kind := range []struct{ outer, inner string }{
		{"ensemble.Voting", "tree.Classifier"}, {"ensemble.Bagging", "tree.Classifier"}, {"ensemble.AdaBoost", "tree.Classifier"},
		{"ensemble.Stacking", "bayes.Gaussian"}, {"calibration.Classifier", "bayes.Gaussian"}, {"preprocess.Classifier", "tree.Classifier"},
		{"ensemble.VotingRegressor", "tree.Regressor"}, {"ensemble.BaggingRegressor", "tree.Regressor"},
		{"ensemble.StackingRegressor", "linear.Ridge"}, {"preprocess.Regressor", "tree.Regressor"},
	} {
		for _, classes := range []int{3, 1 << 14, 1 << 20} {
			sized := func(kind string) map[string]any {
				m := model(t, kind)
				if _, has := m["classes"]; has {
					m["classes"] = classes
				}
				return m
			}
			within := func(part any, times int) map[string]any {
				m := sized(kind.outer)
				members, several := m["members"].([]any)
				if !several {
					m["steps"], m["model"] = []any{}, part
					return m
				}
				if strings.HasPrefix(kind.outer, "calibration") {
					member := maps.Clone(members[0].(map[string]any))
					member["model"] = part
					part = member
				}
				if members = slices.Repeat([]any{part}, times); kind.outer == "ensemble.Stacking" {
					members = append(members, model(t, kind.inner)) // the final model takes two
				}
				m["members"] = members
				for _, name := range []string{"weights", "alphas", "errors"} {
					if _, has := m[name]; has {
						m[name] = slices.Repeat([]float64{0.25}, len(members))
					}
				}
				if _, has := m["columns"]; has {
					m["columns"] = slices.Repeat([]any{map[string]any{"has_columns": false}}, len(members))
				}
				return m
			}
			deep := sized(kind.inner)
			for range 60 {
				deep = within(deep, 1)
			}
			good := classes == 3
			add(fmt.Sprintf("60 %s within each other, of %d classes", kind.outer, classes), deep, good)
			if !strings.Contains(kind.outer, "Stacking") {
				add(fmt.Sprintf("%s of 300 of %d classes", kind.outer, classes), within(sized(kind.inner), 300), good)
			}
		}
	}
	for _, c := range all {
		text, err := json.Marshal(map[string]any{"format": 1, "library": "v0.1.0", "schemas": []any{}, "model": c.model})
		if err != nil {
			t.Fatal(err)
		}
		if err := withinBounds(t, c.name, text); c.good && err != nil {
			t.Errorf("%s is refused: %v", c.name, err)
		}
	}
}

// Text that is no model, and is deep or long: a reader that went down into it would need a
// stack of many times its length.
func TestCraftedTexts(t *testing.T) {
	if !inChild(t) {
		return
	}
	const n = 1 << 20
	head := `{"format": 1, "library": "v0.1.0", "schemas": [], "model": `
	for name, text := range map[string]string{
		"brackets":          strings.Repeat("[", n),
		"braces":            strings.Repeat(`{"a":`, n/5),
		"closed brackets":   head + strings.Repeat("[", n/2) + strings.Repeat("]", n/2) + "}",
		"models in models":  head + strings.Repeat(`{"kind": "ensemble.Voting", "version": 1, "schema": -1, "members": [`, n/64),
		"an unknown field":  head + `{"kind": "cluster.DBSCAN", "version": 1, "schema": -1, "other": ` + strings.Repeat("[", n/2) + strings.Repeat("]", n/2) + "}}",
		"a long number":     head + strings.Repeat("9", n) + "}",
		"a long name":       head + `{"` + strings.Repeat(`\u0000`, n/6) + `": 1}}`,
		"a string for ever": head + `"` + strings.Repeat("x", n),
		"zeros":             strings.Repeat("\x00", n),
		"spaces":            strings.Repeat(" ", n),
	} {
		text := []byte(text)
		m := readWithinBounds(t, name, len(text), func() (any, error) { return modelfile.UnmarshalJSON[any](text) })
		if m != nil {
			t.Errorf("%s are a %T", name, m)
		}
		if m := readWithinBounds(t, name, len(text), func() (any, error) { return modelfile.Unmarshal[any](text) }); m != nil {
			t.Errorf("%s are a %T", name, m)
		}
	}
}

// withinBounds loads a file in JSON and asks the model, if it is one. It fails where that
// takes more memory than is stated.
func withinBounds(t *testing.T, name string, text []byte) error {
	t.Helper()
	var err error
	m := readWithinBounds(t, name, len(text), func() (any, error) {
		var m any
		m, err = modelfile.UnmarshalJSON[any](text)
		return m, err
	})
	if m == nil {
		return err
	}
	askWithinBounds(t, name, m, len(text))
	data, err := modelfile.Marshal(m)
	if errors.Is(err, mlcore.ErrConfig) {
		return nil // the binary form is shorter, and so may hold less
	}
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if readWithinBounds(t, name, len(data), func() (any, error) { return modelfile.Unmarshal[any](data) }) == nil {
		t.Errorf("%s: what was written cannot be read", name)
	}
	return nil
}

// readWithinBounds reads a model from size bytes, nil if they are refused.
func readWithinBounds(t *testing.T, name string, size int, read func() (any, error)) any {
	t.Helper()
	var m any
	var err error
	if used := taken(t, "load "+name, func() { m, err = read() }); used > loadBound(size) {
		t.Errorf("%s: loading %d bytes takes %d (%v)", name, size, used, err)
	}
	if err == nil {
		return m
	}
	if !errors.Is(err, mlcore.ErrCorrupt) && !errors.Is(err, mlcore.ErrVersion) && !errors.Is(err, mlcore.ErrKind) {
		t.Errorf("%s: error %v wraps none of ErrCorrupt, ErrVersion and ErrKind", name, err)
	}
	return nil
}

// askWithinBounds asks a model of a file of size bytes.
func askWithinBounds(t *testing.T, name string, m any, size int) {
	t.Helper()
	const rows = 4
	features := featuresOf(m)
	X := mat.NewDense(rows, features, nil)
	var err error
	used := taken(t, "ask "+name, func() {
		if p, ok := m.(mlcore.ProbClassifier); ok {
			_, err = p.PredictProba(X)
		} else {
			_, err = ask(m, X)
		}
	})
	if used > predictBound(size, rows, features) {
		t.Errorf("%s: %d rows of %d columns take %d bytes of a model of %d (%v)", name, rows, features, used, size, err)
	}
}

func featuresOf(m any) int {
	switch m := m.(type) {
	case interface{ NumFeatures() int }:
		return m.NumFeatures()
	case interface{ InputColumns() []mlcore.Column }:
		return len(m.InputColumns())
	}
	return 1
}

// fixtureFile is a fixture in JSON.
type fixtureFile struct {
	name string
	text []byte
}

func jsonFixtures(t testing.TB) []fixtureFile {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(fixtures, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all []fixtureFile
	for _, f := range files {
		if name := strings.TrimSuffix(filepath.Base(f), ".json"); !strings.HasSuffix(name, ".expected") {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, fixtureFile{name, text})
		}
	}
	if len(all) == 0 {
		t.Fatal("no fixtures")
	}
	return all
}

// object reads JSON, numbers as they are written.
func object(t testing.TB, text []byte) map[string]any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var m map[string]any
	if err := d.Decode(&m); err != nil {
		t.Fatal(err)
	}
	return m
}

// each calls f for every object in v, in order of the names.
func each(v any, f func(object map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		f(v)
		for _, name := range slices.Sorted(maps.Keys(v)) {
			each(v[name], f)
		}
	case []any:
		for _, element := range v {
			each(element, f)
		}
	}
}

// sizesIn returns the names of all whole numbers in v that are not in a list.
func sizesIn(v any) []string {
	var names []string
	each(v, func(o map[string]any) {
		for name, value := range o {
			if n, ok := value.(json.Number); ok && name != "schema" && name != "version" {
				if _, err := n.Int64(); err == nil {
					names = append(names, name)
				}
			}
		}
	})
	slices.Sort(names)
	return slices.Compact(names)
}
