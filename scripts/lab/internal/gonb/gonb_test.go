package gonb

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

// module returns the folder of the version that scripts/go.mod names.
func module(t *testing.T) string {
	t.Helper()
	cmd := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", Module)
	cmd.Dir = filepath.Join("..", "..", "..")
	out, err := cmd.Output()
	dir := strings.TrimSpace(string(out))
	if err != nil || dir == "" {
		t.Fatalf("the kernel's module is not in Go's cache: %v", err)
	}
	return dir
}

// Each patch has a report that can be sent and changes a test.
func TestPatchesCanBeSent(t *testing.T) {
	all, err := read(patches)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatal("no patch was found")
	}
	for _, p := range all {
		title, rest, _ := strings.Cut(p.report, "\n\n")
		if title == "" || len(title) > 72 || strings.Contains(title, "\n") || !strings.Contains(rest, "To reproduce") {
			t.Errorf("%s begins with no report: a title of at most 72 characters, an empty line, and what to do \"To reproduce\" it", p.name)
		}
		if !slices.ContainsFunc(p.files, func(f *gitdiff.File) bool { return strings.HasSuffix(f.NewName, "_test.go") }) {
			t.Errorf("%s has no test", p.name)
		}
	}
}

// The kernel's own tests, with those of the patches, pass in the packages that the patches change.
func TestPatchedKernel(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the kernel")
	}
	tool := filepath.Join("..", "..", "..")
	modfile, err := Prepare(tool, module(t), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	all, err := read(patches)
	if err != nil {
		t.Fatal(err)
	}
	// The kernel calls it.
	bin := t.TempDir()
	if out, err := exec.Command("go", "-C", tool, "build", "-o", filepath.Join(bin, "goimports"), "golang.org/x/tools/cmd/goimports").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	args := []string{"test", "-modfile", modfile}
	for _, p := range all {
		for _, f := range p.files {
			if pkg := path.Join(Module, path.Dir(f.NewName)); !slices.Contains(args, pkg) {
				args = append(args, pkg)
			}
		}
	}
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = tool, append(os.Environ(), "GOWORK=off", "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

const (
	source  = "package p\n\nconst a = 1\n"
	diff    = "A report\n\ndiff --git a/p/p.go b/p/p.go\n--- a/p/p.go\n+++ b/p/p.go\n@@ -1,3 +1,3 @@\n package p\n \n-const a = 1\n+const a = 2\n"
	further = "diff --git a/p/p.go b/p/p.go\n--- a/p/p.go\n+++ b/p/p.go\n@@ -1,3 +1,3 @@\n package p\n \n-const a = 2\n+const a = 3\n" +
		"diff --git a/p/q.go b/p/q.go\nnew file mode 100644\n--- /dev/null\n+++ b/p/q.go\n@@ -0,0 +1 @@\n+package p\n"
)

// A patch that cannot be applied is named, and so is the file. The last column is the changed source
// as one reads it in the diffs.
func TestChanged(t *testing.T) {
	for _, c := range []struct {
		what, source string
		patches      []string
		want         []string // what the error has, if there is one
		after        string
	}{
		{"one patch", source, []string{diff}, nil, "package p\n\nconst a = 2\n"},
		{"a second patch on the first, and a new file", source, []string{diff, further}, nil, "package p\n\nconst a = 3\n"},
		{"a version with the change", strings.Replace(source, "1", "2", 1), []string{diff}, []string{"1.diff", "p/p.go", "remove the diff"}, ""},
		{"another version", "// Package p is longer.\n" + source, []string{diff}, []string{"1.diff", "p/p.go", "write it again"}, ""},
		{"a version without the file", "", []string{diff}, []string{"1.diff", "p/p.go", "not exist"}, ""},
		{"a second patch without the first", source, []string{further}, []string{"1.diff", "p/p.go"}, ""},
		{"a damaged patch", source, []string{strings.Replace(diff, "+1,3", "+1,9", 1)}, []string{"1.diff", "is not a diff"}, ""},
		{"no diff", source, []string{diff, "A report\n"}, []string{"2.diff", "changes no file"}, ""},
	} {
		dir, from := fstest.MapFS{}, fstest.MapFS{}
		if c.source != "" {
			dir["p/p.go"] = &fstest.MapFile{Data: []byte(c.source)}
		}
		for i, text := range c.patches {
			from["patches/"+string(rune('1'+i))+".diff"] = &fstest.MapFile{Data: []byte(text)}
		}
		all, err := read(from)
		var files map[string][]byte
		if err == nil {
			files, err = changed(dir, all)
		}
		if (err != nil) != (c.want != nil) {
			t.Errorf("%s: error %v", c.what, err)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v does not have %q", c.what, err, want)
			}
		}
		if err == nil && string(files["p/p.go"]) != c.after {
			t.Errorf("%s: p.go is %q", c.what, files["p/p.go"])
		}
		if _, there := files["p/q.go"]; err == nil && there != (len(c.patches) == 2) {
			t.Errorf("%s: a new file is there: %t", c.what, there)
		}
	}
}

// What changes the kernel changes the sum, and nothing else does.
func TestSum(t *testing.T) {
	of := func(text string) string {
		all, err := read(fstest.MapFS{"patches/1.diff": {Data: []byte(text)}})
		if err != nil {
			t.Fatal(err)
		}
		return sum(all)
	}
	inTest := strings.ReplaceAll(diff, "p.go", "p_test.go")
	for _, c := range []struct {
		what, text string
		same       bool
	}{
		{"another report", "Another report\n\n" + diff, true},
		{"a test", diff + inTest, true},
		{"another change", strings.Replace(diff, "= 2", "= 4", 1), false},
		{"another file", strings.ReplaceAll(diff, "p.go", "q.go"), false},
		{"one more change", diff + further, false},
	} {
		if got := of(c.text) == of(diff); got != c.same {
			t.Errorf("%s: the sum is the same: %t", c.what, got)
		}
	}
}
