package datasets

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the list of files in files/README.md")

// The folder holds exactly the files of the catalogue, with the pinned bytes. Its README.md
// repeats the catalogue, and NOTICE.md names title, citation, licence and home of every set.
func TestFilesAndNotices(t *testing.T) {
	notice, err := os.ReadFile("NOTICE.md")
	if err != nil {
		t.Fatal(err)
	}
	var list strings.Builder
	names := []string{"README.md"}
	for _, s := range All() {
		for _, want := range []string{s.Title, s.Citation, s.Licence, s.Home} {
			if !strings.Contains(string(notice), want) {
				t.Errorf("NOTICE.md does not have %q, of set %s", want, s.Name)
			}
		}
		fmt.Fprintf(&list, "## %s: %s\n\n%s\n\n- Home: <%s>\n- Citation: %s\n- Licence: %s\n\n", s.Name, s.Title, s.Description, s.Home, s.Citation, s.Licence)
		list.WriteString("| file | bytes | rows | SHA-256 |\n| --- | --- | --- | --- |\n")
		for _, f := range s.Files {
			names = append(names, f.Name)
			fmt.Fprintf(&list, "| [%s](%s), [published](%s) | %d | %d | `%s` |\n", f.Name, f.Name, f.URL, f.Size, f.Rows, f.SHA256)
			if err := f.Check(filepath.Join("files", f.Name)); err != nil {
				t.Errorf("%v; \"git checkout datasets/files\" restores the committed files", err)
			}
		}
		list.WriteString("\n")
	}
	slices.Sort(names)
	entries, err := os.ReadDir("files")
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") { // locks of downloads
			have = append(have, e.Name())
		}
	}
	if !slices.Equal(have, names) {
		t.Errorf("datasets/files holds %q, want %q", have, names)
	}

	path := filepath.Join("files", "README.md")
	readme, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	intro, _, _ := strings.Cut(string(readme), "## ")
	want := intro + strings.TrimSuffix(list.String(), "\n")
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if string(readme) != want {
		t.Error("datasets/files/README.md differs from the catalogue; go test ./datasets -run TestFilesAndNotices -update rewrites it")
	}
}

// The oracle is the same table from the R package ISLR 1.4, with the players' names. It is
// under the GPL, so it is not part of this repository and the test needs a copy next to it.
func TestHittersIsThatOfISLR(t *testing.T) {
	published, err := os.ReadFile(filepath.Join("..", "..", "shared", "datasets", "Hitters.csv"))
	if err != nil {
		t.Skip(err)
	}
	ours, err := os.ReadFile(filepath.Join("files", "Hitters.csv"))
	if err != nil {
		t.Fatal(err)
	}
	want, got := strings.Split(strings.TrimSpace(string(published)), "\n"), strings.Split(strings.TrimSpace(string(ours)), "\n")
	if len(got) != len(want) || len(got) != 323 {
		t.Fatalf("%d lines, want %d", len(got), len(want))
	}
	numbers := 0
	for i := range got {
		_, line, _ := strings.Cut(want[i], ",") // no name has a comma
		w, g := strings.Split(line, ","), strings.Split(got[i], ",")
		if len(w) != 20 || len(g) != 20 {
			t.Fatalf("line %d has %d fields, want %d", i+1, len(g), len(w))
		}
		for j := range g {
			x, err := strconv.ParseFloat(g[j], 64)
			y, yErr := strconv.ParseFloat(w[j], 64)
			if err == nil && yErr == nil {
				numbers++
			}
			if (err == nil) != (yErr == nil) || x != y || err != nil && g[j] != w[j] {
				t.Errorf("line %d, field %d: %q, want %q", i+1, j+1, g[j], w[j])
			}
		}
	}
	if numbers != 322*16+263 { // 16 columns of whole numbers, and the salaries that are known
		t.Errorf("%d numbers were compared", numbers)
	}
}
