package mlcore_test

import (
	"cmp"
	"flag"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/released.txt anew, when a version is released")

// released holds the names that the last release has, one "package.Name" a line.
const released = "testdata/released.txt"

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// folder is where the source of a package of the library is, below mlcore.
func folder(p *types.Package) string {
	return cmp.Or(strings.TrimPrefix(strings.TrimPrefix(p.Path(), library), "/"), ".")
}

// tests are the sources of the tests in folders.
func tests(t *testing.T, folders ...string) (all []string) {
	t.Helper()
	for _, dir := range folders {
		files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			all = append(all, read(t, file))
		}
	}
	return all
}

// word matches a name where it is not part of a longer one.
func word(name string) *regexp.Regexp {
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`)
}

// exportedIn yields the exported names of a package in alphabetical order.
func exportedIn(p *types.Package) (all []types.Object) {
	for _, name := range p.Scope().Names() {
		if o := p.Scope().Lookup(name); o.Exported() {
			all = append(all, o)
		}
	}
	return all
}

// fitting are the methods of an object's type that fit a model or a step.
func fitting(o types.Object) (methods []string) {
	if _, ok := o.(*types.TypeName); !ok || types.IsInterface(o.Type()) {
		return nil
	}
	for m := range types.NewMethodSet(o.Type()).Methods() {
		switch name := m.Obj().Name(); name {
		case "Fit", "FitClassifier", "FitProbClassifier", "FitRegressor", "FitStep":
			methods = append(methods, name)
		}
	}
	return methods
}

// What is exported has its place in the documentation: a reader of the package comments
// and of README.md finds every package and every configuration.
func TestWhatIsThereIsListed(t *testing.T) {
	conventions, table, seen := read(t, "doc.go"), read(t, "README.md"), 0
	for _, p := range libraryPackages(t) {
		if p.Path() != library && p.Name() != "mlcoretest" && len(exportedIn(p)) > 0 && !word(p.Name()).MatchString(conventions) {
			t.Errorf("package %s is not in the package comment of mlcore: name it in doc.go", p.Name())
		}
		for _, o := range exportedIn(p) {
			if len(fitting(o)) == 0 {
				continue
			}
			seen++
			row := "`" + p.Name() + `\.` + o.Name() + `\b`
			if o.Name() != "Config" {
				row += "|`" + o.Name() + "`"
			}
			if !regexp.MustCompile(row).MatchString(table) {
				t.Errorf("%s.%s is not in the table of README.md: add a row with its name in scikit-learn, the options, and the tests that compare them", p.Name(), o.Name())
			}
			doc := filepath.Join(folder(p), "doc.go")
			if text, err := os.ReadFile(doc); err != nil || !word(o.Name()).Match(text) {
				t.Errorf("%s.%s is not in the package comment: name it in mlcore/%s", p.Name(), o.Name(), doc)
			}
		}
		if p.Name() == "metrics" {
			for _, o := range exportedIn(p) {
				if _, ok := o.(*types.Func); ok && !strings.Contains(read(t, "metrics/doc.go"), "["+o.Name()+"]") {
					t.Errorf("metrics.%s is not in the list of metrics/doc.go: add [%[1]s] there", o.Name())
				}
			}
		}
	}
	if seen < 50 {
		t.Errorf("%d configurations were found", seen)
	}
}

// The tests that the table of README.md names, each after its package, are there.
func TestTheTableNamesTests(t *testing.T) {
	names, seen := regexp.MustCompile("`([^`]+)`|\\bTest\\w+"), 0
	for line := range strings.Lines(read(t, "README.md")) {
		cells := strings.Split(strings.TrimSuffix(strings.TrimSpace(line), "|"), "|")
		sources := ""
		for _, match := range names.FindAllStringSubmatch(cells[len(cells)-1], -1) {
			if match[1] != "" {
				sources = strings.Join(tests(t, match[1]), "\n")
				continue
			}
			seen++
			if !strings.Contains(sources, "func "+match[0]+"(") {
				t.Errorf("README.md names %s, which is no test of that package, in the row\n%s", match[0], line)
			}
		}
	}
	if seen < 100 {
		t.Errorf("%d names of tests were found", seen)
	}
}

// Every estimator passes the tests of package mlcoretest.
func TestEveryEstimatorPassesTheBattery(t *testing.T) {
	calls := map[string]string{"FitClassifier": "mlcoretest.Classifier(", "FitRegressor": "mlcoretest.Regressor(", "Fit": "mlcoretest.Unsupervised("}
	for _, p := range libraryPackages(t) {
		battery := slices.DeleteFunc(tests(t, folder(p)), func(source string) bool { return !strings.Contains(source, "mlcoretest.") })
		for _, o := range exportedIn(p) {
			for _, method := range fitting(o) {
				call, full := calls[method], p.Name()+"."+o.Name()
				if call == "" || method == "Fit" && slices.Contains(fitting(o), "FitStep") {
					continue // other than an estimator
				}
				if !slices.ContainsFunc(battery, func(source string) bool {
					return strings.Contains(source, call) && word(o.Name()).MatchString(source)
				}) {
					t.Errorf("%s.%s is not in the battery: call %s...) for it in mlcore/%s/conformance_test.go", full, method, call, folder(p))
				}
			}
		}
	}
}

// Every function of the library is called by a test of the library.
func TestEveryFunctionIsTested(t *testing.T) {
	called, names := map[string]bool{}, regexp.MustCompile(`\b[A-Z]\w*\b`)
	for _, source := range tests(t, ".", "*", "internal/*") {
		for _, name := range names.FindAllString(source, -1) {
			called[name] = true
		}
	}
	for _, p := range libraryPackages(t) {
		for _, o := range exportedIn(p) {
			if _, ok := o.(*types.Func); ok && !called[o.Name()] {
				t.Errorf("no test calls %s.%s: add one to mlcore/%s and name its oracle", p.Name(), o.Name(), folder(p))
			}
		}
	}
}

// What is new since the last release, and what is gone, is in CHANGELOG.md: a package,
// and in older packages the functions, the configurations and the errors. The models and
// constants that come with a configuration need not be named.
func TestChangesAreInTheChangelog(t *testing.T) {
	all, begins := map[string]bool{}, map[string]bool{}
	for _, p := range libraryPackages(t) {
		for _, o := range exportedIn(p) {
			name := p.Name() + "." + o.Name()
			all[name] = true
			_, function := o.(*types.Func)
			begins[name] = function || len(fitting(o)) > 0 || strings.HasPrefix(o.Name(), "Err")
		}
	}
	if *update {
		text := strings.Join(slices.Sorted(maps.Keys(all)), "\n") + "\n"
		if err := os.WriteFile(released, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	before := map[string]bool{}
	for name := range strings.FieldsSeq(read(t, released)) {
		before[name] = true
	}
	has := func(names map[string]bool, pkg string) bool {
		for name := range names {
			if strings.HasPrefix(name, pkg+".") {
				return true
			}
		}
		return false
	}
	_, latest, _ := strings.Cut(read(t, "CHANGELOG.md"), "\n## ")
	latest, _, _ = strings.Cut(latest, "\n## ")
	check := func(names, others map[string]bool, needed func(name string) bool, message string) {
		for name := range sortedMap(names) {
			pkg, bare, _ := strings.Cut(name, ".")
			if others[name] || !needed(name) {
				continue
			}
			if !has(others, pkg) {
				name, bare = "package "+pkg, pkg
			}
			if !word(bare).MatchString(latest) {
				t.Errorf("%s %s", name, message)
			}
		}
	}
	check(all, before, func(name string) bool { return begins[name] }, "is new since the last release: name it in CHANGELOG.md, under the version to come")
	check(before, all, func(string) bool { return true }, "of the last release is gone: CHANGELOG.md has to say what to write instead")
}
