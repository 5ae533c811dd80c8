package datasets

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// toy is a file that is published nowhere.
func toy(url string) File {
	sum := sha256.Sum256(toyBytes)
	return File{Name: "toy.data", Size: int64(len(toyBytes)), SHA256: hex.EncodeToString(sum[:]), URL: url, layout: comma}
}

var toyBytes = []byte(strings.Repeat("1,2,3\n", 50_000))

// elsewhere makes a made-up checkout the one that is found, and returns it.
func elsewhere(t *testing.T) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "mllabs")
	if err := os.MkdirAll(filepath.Join(root, "notebooks", "lab3"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(root, "go.mod"), "module github.com/mllabs-go/mllabs\n\ngo 1.26\n")
	t.Setenv("GONB_DIR", filepath.Join(root, "notebooks", "lab3"))
	t.Setenv(EnvFolder, "")
	return root
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestOrderOfPlaces(t *testing.T) {
	root := elsewhere(t)
	f := toy("http://home.example/toy.data")
	content := string(toyBytes)
	env := filepath.Join(t.TempDir(), "env")

	_, _, err := locate(f)
	if !errors.Is(err, ErrNotFound) {
		t.Fatalf("nowhere: %v", err)
	}
	files := filepath.Join(root, "datasets", "files")
	for _, says := range []string{"toy.data", files} {
		if !strings.Contains(err.Error(), says) {
			t.Errorf("error %q does not say %q", err, says)
		}
	}
	// From the last place to the first, each hides the one before.
	for _, tc := range []struct {
		dir  string
		from Source
	}{{files, FromCheckout}, {env, FromEnv}} {
		write(t, filepath.Join(tc.dir, f.Name), content)
		if tc.from == FromEnv {
			t.Setenv(EnvFolder, env)
		}
		loc, data, err := locate(f)
		if err != nil {
			t.Fatal(err)
		}
		if loc.From != tc.from || loc.Path != filepath.Join(tc.dir, f.Name) || !bytes.Equal(data, toyBytes) {
			t.Errorf("found in %s (%s), want %s", loc.From, loc.Path, tc.dir)
		}
	}
}

func TestEnvironmentFolderComesBeforeTheEmbeddedCopy(t *testing.T) {
	elsewhere(t)
	set, _ := Lookup("iris")
	iris, err := embeddedFile("iris.data")
	if err != nil {
		t.Fatal(err)
	}
	if loc, _, err := locate(set.Files[0]); err != nil || loc.From != FromEmbedded {
		t.Errorf("without it: from %s: %v", loc.From, err)
	}
	dir := t.TempDir()
	t.Setenv(EnvFolder, dir)
	if loc, _, err := locate(set.Files[0]); err != nil || loc.From != FromEmbedded {
		t.Errorf("with an empty folder: from %s: %v", loc.From, err)
	}
	write(t, filepath.Join(dir, "iris.data"), string(iris))
	if loc, _, err := locate(set.Files[0]); err != nil || loc.From != FromEnv {
		t.Errorf("with a copy: from %s: %v", loc.From, err)
	}
	write(t, filepath.Join(dir, "iris.data"), string(iris[:100]))
	if _, err := Load("iris"); !errors.Is(err, ErrChecksum) || !strings.Contains(err.Error(), dir) {
		t.Errorf("with a damaged copy: %v", err)
	}
	t.Setenv(EnvFolder, filepath.Join(dir, "nowhere"))
	if _, err := Load("iris"); err == nil || !strings.Contains(err.Error(), "not a folder") {
		t.Errorf("with a folder that is not there: %v", err)
	}
}

func TestMissingSetSaysWhatToDo(t *testing.T) {
	root := elsewhere(t)
	_, err := Load("wdbc")
	if !errors.Is(err, ErrNotFound) {
		t.Fatalf("error %v", err)
	}
	for _, says := range []string{`"wdbc"`, "wdbc.data", root, "https://archive.ics.uci.edu/", "go run ./scripts/lab data fetch wdbc"} {
		if !strings.Contains(err.Error(), says) {
			t.Errorf("error %q does not say %q", err, says)
		}
	}
	_, err = Available("wdbc")
	if !errors.Is(err, ErrNotFound) {
		t.Fatalf("Available: %v", err)
	}
	for _, says := range []string{"wdbc.data", root, "https://archive.ics.uci.edu/", "data fetch"} {
		if !strings.Contains(err.Error(), says) {
			t.Errorf("Available: error %q does not say %q", err, says)
		}
	}
	if from, err := Available("car"); err != nil || from != FromEmbedded {
		t.Errorf("Available: car is in %q: %v", from, err)
	}
}

func TestDamagedCopy(t *testing.T) {
	root := elsewhere(t)
	f := toy("http://home.example/toy.data")
	path := filepath.Join(root, "datasets", "files", f.Name)
	write(t, path, "1,2,3\n")
	loc, err := f.Find()
	if !errors.Is(err, ErrChecksum) || !errors.Is(f.Check(path), ErrChecksum) || loc.From != FromCheckout {
		t.Fatalf("error %v, from %s", err, loc.From)
	}
	for _, says := range []string{f.Name, path, f.SHA256, "6 bytes", "remove it"} {
		if !strings.Contains(err.Error(), says) {
			t.Errorf("error %q does not say %q", err, says)
		}
	}
	write(t, path, string(toyBytes))
	if loc, err := f.Find(); err != nil || f.Check(path) != nil || loc.Path != path {
		t.Errorf("put right: in %s: %v", loc.Path, err)
	}
}

func TestVerifyLooksAtEveryCopy(t *testing.T) {
	root := elsewhere(t)
	iris, err := embeddedFile("iris.data")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(root, "datasets", "files", "iris.data"), string(iris))
	good, err := Verify("iris")
	if err != nil || len(good) != 2 {
		t.Errorf("%d good copies, want 2: %v", len(good), err)
	}
	write(t, filepath.Join(root, "datasets", "files", "iris.data"), "5.1,3.5,1.4,0.2,Iris-setosa\n")
	good, err = Verify("iris")
	if !errors.Is(err, ErrChecksum) || len(good) != 1 {
		t.Errorf("%d good copies, want 1: %v", len(good), err)
	}
	if _, err := Verify("letter"); !errors.Is(err, ErrNotFound) {
		t.Errorf("a set that is nowhere: %v", err)
	}
}

func TestCheckoutIsFound(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	repo := filepath.Dir(here)
	t.Setenv("GONB_DIR", "")
	if got := checkout(); got != repo {
		t.Errorf("from the package's folder: %q", got)
	}
	t.Chdir(t.TempDir())
	if got := checkout(); got != repo {
		t.Errorf("from elsewhere, by the source: %q", got)
	}
	root := elsewhere(t)
	if got := checkout(); got != root {
		t.Errorf("from a notebook: %q, want %q", got, root)
	}
	for _, tc := range []struct{ module, dir, want string }{
		{"github.com/mllabs-go/mllabs", "mod", "mod"},
		{"github.com/mllabs-go/mllabs", "mllabs@v1.0.0", ""}, // in the module cache
		{"github.com/else/where", "other", ""},
	} {
		dir := filepath.Join(t.TempDir(), tc.dir)
		write(t, filepath.Join(dir, "go.mod"), "module "+tc.module+"\n")
		got := moduleRoot(dir)
		if got != "" {
			got = filepath.Base(got)
		}
		if got != tc.want {
			t.Errorf("go.mod of %s in %s: root %q, want %q", tc.module, tc.dir, got, tc.want)
		}
	}
}

// A program that is built outside of a checkout has no tool to fetch with.
func TestRemedy(t *testing.T) {
	f := File{Name: "letter-recognition.data", URL: "https://archive.ics.uci.edu/letter"}
	for _, tc := range []struct {
		inCheckout bool
		says, not  string
	}{
		{true, `"go run ./scripts/lab data fetch letter"`, "download.Fetch"},
		{false, `download.Fetch(ctx, "letter", nil) of package datasets/download`, "scripts/lab"},
	} {
		got := remedy("letter", f, tc.inCheckout)
		if !strings.Contains(got, tc.says) || strings.Contains(got, tc.not) || !strings.Contains(got, f.URL) {
			t.Errorf("in a checkout %v: %s", tc.inCheckout, got)
		}
	}
}
