package datasets

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/mlcore"
)

// longTable is a table that is read in several parts, with blank lines here and there.
func longTable() string {
	rng := mlcore.NewRand(1)
	var b strings.Builder
	b.WriteString("X1,n,label\r\n")
	for i := range 4 * partBytes / 16 {
		n := "?"
		if rng.IntN(5) > 0 {
			n = fmt.Sprint(rng.IntN(2000) - 1000)
		}
		fmt.Fprintf(&b, "%d.%06d,%s, text %d,\r\n", i%7, rng.IntN(1e6), n, rng.IntN(3000))
		if rng.IntN(20) == 0 {
			b.WriteString(" \r\n")
		}
	}
	return strings.ReplaceAll(b.String(), ",\r", "\r")
}

// withProcs calls f with so many processors in use.
func withProcs(n int, f func()) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
	f()
}

// Oracle: encoding/csv reads the same fields, whatever the number of parts.
func TestPartsOfLongTable(t *testing.T) {
	text := longTable()
	r := csv.NewReader(strings.NewReader(text))
	r.FieldsPerRecord = -1
	records, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{}
	for _, record := range records {
		if len(record) == 3 {
			want = append(want, []string{record[0], strings.ReplaceAll(record[1], "?", "NaN"), strings.TrimSpace(record[2])})
		}
	}
	for _, procs := range []int{1, 2, 3} {
		withProcs(procs, func() {
			df, err := ReadCSV(strings.NewReader(text), userColumns...)
			if err != nil {
				t.Fatal(err)
			}
			if got := df.Records(); !slices.EqualFunc(got, want, slices.Equal) {
				t.Errorf("%d processors: the %d rows are not the %d of encoding/csv", procs, len(got)-1, len(want)-1)
			}
		})
	}
}

// An error is that of the first bad line, and names it, in whatever part it is.
func TestErrorInPartOfLongTable(t *testing.T) {
	lines := strings.SplitAfter(longTable(), "\n")
	// spoil makes lines bad; blank lines count too.
	spoil := func(lines []string, at ...int) string {
		lines = slices.Clone(lines)
		for _, i := range at {
			lines[i-1] = "1,bad,a\n"
		}
		return strings.Join(lines, "")
	}
	last := len(lines) - 1
	for _, tc := range []struct {
		bad   []int
		first int
	}{{[]int{2}, 2}, {[]int{last}, last}, {[]int{last / 2, last}, last / 2}, {[]int{last - 1, 3}, 3}} {
		for _, procs := range []int{1, 2, 5} {
			withProcs(procs, func() {
				_, err := ReadCSV(strings.NewReader(spoil(lines, tc.bad...)), userColumns...)
				if says := fmt.Sprintf(`line %d, column "n" (field 2): bad column: "bad" is not a whole number`, tc.first); err == nil || err.Error() != says {
					t.Errorf("%d processors, lines %v: error %v, want %q", procs, tc.bad, err, says)
				}
			})
		}
	}
}

// Oracle: bytes.Split, on lines with commas at every place among bytes that differ
// from a comma by one bit.
func TestCut(t *testing.T) {
	rng := mlcore.NewRand(2)
	for range 2000 {
		row := make([]byte, rng.IntN(40))
		for i := range row {
			row[i] = []byte{',', ',', '-', '.', '(', '$', '<', '\f', 'l', ',' | 0x80, 0, 0xff}[rng.IntN(12)]
		}
		r := plainRows{layout: comma}
		r.cut(row)
		if want := bytes.Split(row, []byte{','}); !slices.EqualFunc(r.fields, want, bytes.Equal) {
			t.Fatalf("%q: fields %q, want %q", row, r.fields, want)
		}
	}
}

// A line is not cut in two, even where it is the last and most of the table.
func TestPartsOfOneLine(t *testing.T) {
	withProcs(4, func() {
		label := strings.Repeat("a", 5*partBytes)
		df, err := ReadCSV(strings.NewReader("X1,n,label\n1,2,"+label), userColumns...)
		if err != nil {
			t.Fatal(err)
		}
		if got := df.Col("label").Elem(0).String(); df.Nrow() != 1 || got != label {
			t.Errorf("%d rows, the label has %d letters, not %d", df.Nrow(), len(got), len(label))
		}
	})
}

// TestFirstOfManyErrors: the error is that of the first line that has one, and there of the
// first column in the order asked for, wherever else fields are bad.
func TestFirstOfManyErrors(t *testing.T) {
	columns := []Column{{Name: "a", Type: series.Int}, {Name: "b", Type: series.String}, {Name: "c", Type: series.Float}}
	for _, tc := range []struct{ lines, want string }{
		{"1,x,1\n2,y,bad\nbad,z,3\n", `line 3, column "c" (field 1)`},
		{"1,x,1\nbad,y,2\n3,z,bad\n", `line 3, column "a" (field 3)`},
		{"1,x,1\nbad,,bad\n", `line 3, column "a" (field 3)`},
		{"1,x,1\n2,,bad\n", `line 3, column "b" (field 2)`},
		{"bad,x,1\n2,y\n", `line 2, column "a" (field 3)`},
		{"1,x,1\n2,y\nbad,x,1\n", `line 3: shape`},
		{"1,x,bad\n,,\n", `line 2, column "c" (field 1)`},
	} {
		var text strings.Builder
		text.WriteString("c,b,a\n")
		for line := range strings.Lines(tc.lines) {
			f := strings.Split(strings.TrimSpace(line), ",")
			slices.Reverse(f)
			text.WriteString(strings.Join(f, ",") + "\n")
		}
		for _, quote := range []string{"", `"q","q","q"` + "\n"} {
			_, err := ReadCSV(strings.NewReader(text.String()+quote), columns...)
			if err == nil || !strings.HasPrefix(err.Error(), tc.want) {
				t.Errorf("%q: error %v, want %s", text.String(), err, tc.want)
			}
		}
	}
}

// TestBytesOfTheRightLength: a file that is as long as the published one and reads well,
// or does not, is refused for its bytes.
func TestBytesOfTheRightLength(t *testing.T) {
	published, err := embeddedFile("iris.data")
	if err != nil {
		t.Fatal(err)
	}
	for _, first := range []string{"9", "x"} {
		dir := t.TempDir()
		t.Setenv(EnvFolder, dir)
		data := append([]byte(first), published[1:]...)
		if err := os.WriteFile(filepath.Join(dir, "iris.data"), data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load("iris"); !errors.Is(err, ErrChecksum) {
			t.Errorf("%s in the first place: error %v, want one that wraps ErrChecksum", first, err)
		}
	}
}
