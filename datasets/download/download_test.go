package download

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/datasets"
)

// elsewhere makes a made-up checkout the one that is found, and returns its folder of
// data files.
func elsewhere(t *testing.T) (files string) {
	t.Helper()
	root := filepath.Join(t.TempDir(), "mllabs")
	files = filepath.Join(root, "datasets", "files")
	if err := os.MkdirAll(files, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte("module github.com/mllabs-go/mllabs\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GONB_DIR", root)
	t.Setenv(datasets.EnvFolder, "")
	t.Setenv(EnvOffline, "")
	return files
}

// What is nowhere is downloaded, what is damaged is replaced, and what is there
// is left alone; a folder of the user's is never written to.
func TestObtain(t *testing.T) {
	for _, tc := range []struct {
		name  string
		place func(files, env string) string // where a copy lies before
		copy  []byte
		want  error
		asked bool // the file's home
	}{
		{"nowhere", nil, nil, nil, true},
		{"there", func(files, _ string) string { return files }, toyBytes, nil, false},
		{"damaged", func(files, _ string) string { return files }, []byte("1,2,3\n"), nil, true},
		{"damaged in the user's folder", func(_, env string) string { return env }, []byte("1,2,3\n"), datasets.ErrChecksum, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			files, env, asked := elsewhere(t), t.TempDir(), false
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked = true
				w.Write(toyBytes)
			}))
			defer srv.Close()
			f := toy(srv.URL)
			if tc.place != nil {
				dir := tc.place(files, env)
				if dir == env {
					t.Setenv(datasets.EnvFolder, env)
				}
				if err := os.MkdirAll(dir, 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, f.Name), tc.copy, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			loc, err := obtain(t.Context(), f, quickFetcher(), nil)
			if !errors.Is(err, tc.want) || asked != tc.asked {
				t.Fatalf("error %v, want %v; home asked %v, want %v", err, tc.want, asked, tc.asked)
			}
			if tc.want != nil {
				if data, err := os.ReadFile(filepath.Join(env, f.Name)); err != nil || !bytes.Equal(data, tc.copy) {
					t.Errorf("the user's copy is changed: %d bytes, %v", len(data), err)
				}
				return
			}
			data, err := os.ReadFile(filepath.Join(files, f.Name))
			if err != nil || !bytes.Equal(data, toyBytes) || loc.Path != filepath.Join(files, f.Name) {
				t.Errorf("%d bytes, found in %s: %v", len(data), loc.Path, err)
			}
		})
	}
}

func TestFetchOfASet(t *testing.T) {
	elsewhere(t)
	t.Setenv(EnvOffline, "1")
	if locations, err := Fetch(t.Context(), "iris", nil); err != nil || len(locations) != 1 || locations[0].From != datasets.FromEmbedded {
		t.Errorf("iris is embedded: %v, %v", locations, err)
	}
	if _, err := Fetch(t.Context(), "irises", nil); !errors.Is(err, datasets.ErrUnknown) {
		t.Errorf("an unknown set: %v", err)
	}
	_, err := Fetch(t.Context(), "wdbc", nil)
	if !errors.Is(err, datasets.ErrNotFound) || !errors.Is(err, ErrOffline) || !errors.Is(err, ErrDownload) {
		t.Fatalf("a set that is nowhere, without the network: %v", err)
	}
	for _, says := range []string{`"wdbc"`, "wdbc.data", "https://archive.ics.uci.edu/", EnvOffline, "data fetch"} {
		if !strings.Contains(err.Error(), says) {
			t.Errorf("error %q does not say %q", err, says)
		}
	}
}
