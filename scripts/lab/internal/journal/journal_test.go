package journal

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// write makes a journal of the given key and entries and returns its bytes.
func write(t *testing.T, path, key string, entries ...any) []byte {
	t.Helper()
	j, _, note, err := Open(path, key)
	if err != nil || note != "" {
		t.Fatal(err, note)
	}
	for _, e := range entries {
		if err := j.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	whole := string(write(t, path, "k", "one", "two", map[string]int{"three": 3}))
	lines := strings.SplitAfter(whole, "\n")
	for _, tc := range []struct {
		name, key, data string
		entries         int
		note            string
	}{
		{"whole", "k", whole, 3, ""},
		{"none", "k", "", 0, ""},
		{"header only", "k", lines[0], 0, ""},
		{"last line cut short", "k", whole[:len(whole)-4], 2, ""},
		{"header cut short", "k", whole[:5], 0, ""},
		{"header cut later", "k", whole[:12], 0, ""},
		{"other key", "q", whole, 0, path + ".old"},
		{"other key, no entries", "q", lines[0], 0, "all is done again"},
		{"damaged byte", "k", strings.Replace(whole, "two", "twx", 1), 2, "line 3 is damaged"},
		{"line lost", "k", lines[0] + "\n" + lines[2], 1, "line 2 is damaged"},
		{"a piece before a line", "k", lines[0] + lines[1][:9] + lines[2] + lines[3], 1, "line 2 is damaged"},
		{"two lines", "k", lines[0] + "x\n" + lines[1] + "\n" + lines[2], 2, "lines 2 and 4 are damaged"},
		{"many lines", "k", lines[0] + "x\n\n\n" + lines[1] + "cut", 1, "line 2 and 2 others are damaged"},
	} {
		if err := os.WriteFile(path, []byte(tc.data), 0o644); err != nil {
			t.Fatal(err)
		}
		j, entries, note, err := Open(path, tc.key)
		if err != nil {
			t.Fatal(err)
		}
		if old, err := os.ReadFile(path + ".old"); strings.Contains(tc.note, "damaged") && (err != nil || string(old) != tc.data) {
			t.Errorf("%s: the file as it was is %q, %v", tc.name, old, err)
		}
		if len(entries) != tc.entries || (tc.note == "") != (note == "") || !strings.Contains(note, tc.note) {
			t.Errorf("%s: %q, note %q", tc.name, entries, note)
		}
		// What follows is readable whatever was there.
		if err := j.Add("more"); err != nil {
			t.Fatal(err)
		}
		j.Close()
		j, entries, note, err = Open(path, tc.key)
		if err != nil || note != "" || len(entries) != tc.entries+1 || string(entries[tc.entries]) != `"more"` {
			t.Errorf("%s, again: %q, note %q, %v", tc.name, entries, note, err)
		}
		j.Close()
	}
}

// What another program wrote, or another run, outlives a journal of the same name.
func TestOpenKeepsWhatIsOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	whole := string(write(t, path, "k", "one", "two"))
	lines := strings.SplitAfter(whole, "\n")
	for _, data := range []string{
		"hello\nworld, this is long enough\n", "hello", "\n", "0123abcd hello", lines[1] + lines[2], strings.Replace(whole, "k", "q", 1),
		string(seal([]byte("{}"))),
	} {
		if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
		_, _, _, err := Open(path, "k")
		if after, _ := os.ReadFile(path); !errors.Is(err, ErrForeign) || string(after) != data {
			t.Errorf("%q: error %v, then %q", data, err, after)
		}
	}

	if err := os.WriteFile(path, []byte(whole), 0o644); err != nil {
		t.Fatal(err)
	}
	j, _, _, err := Open(path, "other")
	if err != nil {
		t.Fatal(err)
	}
	j.Close()
	if old, err := os.ReadFile(path + ".old"); err != nil || string(old) != whole {
		t.Errorf("set aside: %q, %v", old, err)
	}
}

// A piece of a line, as a full disk leaves it, does not spoil what is written after it.
func TestAddTakesPiecesAway(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	j, _, _, err := Open(path, "k")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range []string{"one", "two"} {
		if err := j.Add(entry); err != nil {
			t.Fatal(err)
		}
		if _, err := j.file.WriteString("0123abcd \"a pie"); err != nil {
			t.Fatal(err)
		}
		if err := j.back(); err != nil {
			t.Fatal(err)
		}
	}
	j.Close()
	j, entries, note, err := Open(path, "k")
	if err != nil || note != "" || len(entries) != 2 {
		t.Errorf("%q, note %q, %v", entries, note, err)
	}
	// A file that cannot be written any more is told, not passed over.
	j.file.Close()
	if err := j.Add("three"); err == nil {
		t.Error("no error")
	}
}

func TestTwoAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	j, _, _, err := Open(path, "k")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := Open(path, "k"); !errors.Is(err, ErrInUse) {
		t.Errorf("a second run: %v", err)
	}
	if err := j.Remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("after Remove: %v", err)
	}
}

func TestOpenFails(t *testing.T) {
	if _, _, _, err := Open(filepath.Join(t.TempDir(), "no", "such", "folder"), "k"); err == nil {
		t.Error("no error")
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("00000000 {}\n"), "k")
	f.Add(append(seal([]byte(`{"key":"k"}`)), seal([]byte(`1`))...), "k")
	f.Fuzz(func(t *testing.T, data []byte, key string) {
		entries, kept, damaged, err := read(data, key)
		if err != nil && len(kept)+len(entries)+len(damaged) > 0 {
			t.Errorf("%v with %d entries of %q, damaged %v", err, len(entries), kept, damaged)
		}
		// What is kept is read again, whole.
		if again, same, none, err := read(kept, key); len(kept) > 0 && (err != nil || len(none) > 0 || len(again) != len(entries) || !bytes.Equal(same, kept)) {
			t.Errorf("%q of %q: %d entries, damaged %v, %v", same, kept, len(again), none, err)
		}
	})
}
