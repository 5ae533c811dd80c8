package command

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mllabs-go/mllabs/notebooks/uci"
)

func TestUCIRefusesNonsense(t *testing.T) {
	root := inCheckout(t, map[string]string{})
	if err := os.Mkdir(filepath.Join(root, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	type refusal struct{ args, says string }
	cases := []refusal{
		{"car", "takes no arguments"},
		{"--folds 1", "--folds 1"},
		{"--folds -5", "--folds -5"},
		{"--folds 337", "smallest data set"},
		{"--folds five", "invalid value"},
		{"--repeats 0", "--repeats 0"},
		{"--repeats 1001", "1 to 1000"},
		{"--seed -1", "invalid value"},
		{"--workers -1", "--workers -1"},
		{"--only X", `"X" is no data set`},
		{"--only C,", `"" is no data set`},
		{"--only C/kNN-D1", "that the report has"},
		{"--only NB/C", "is no data set"},
		{"--json nosuch/out.json", "there is no folder nosuch"},
		{"--json folder", "that is a folder"},
		{"--json a --markdown ./a", "both name"},
		{"--json a --export-folds b", "--export-folds runs nothing"},
		{"--markdown a --export-folds b", "--export-folds runs nothing"},
		{"--variant C/NB/odd", `there is no variant "C/NB/odd"`},
		{"--variant C/NB/skip-last --only C", "nothing for --only to pick"},
		{"--variant C/NB/skip-last --markdown a", "makes no tables"},
		{"--variant C/NB/skip-last --export-folds a", "makes no tables"},
		{"--cell C/XY", `--cell "C/XY": the report has no such cell; there are C/ID3 B/ID3`},
		{"--cell C/kNN-D1", "B/kNN-D1 B/kNN-D2 B/kNN-D3 E/kNN-D1"},
		{"--cell C", `--cell "C": the report has no such cell`},
		{"--cell C/NB/skip-last", "the report has no such cell"},
		{"--cell C/NB --seed 2", "leave --seed out"},
		{"--cell C/NB --variant C/NB/skip-last", "leave --variant out"},
		{"--cell C/NB more", "takes no arguments"},
		{"--shard 1/2", "--json FILE names the file of the part"},
		{"--shard 0/2 --json a", "write 2/5"},
		{"--shard 3/2 --json a", "write 2/5"},
		{"--shard 1 --json a", "write 2/5"},
		{"--shard 1/2 --json a --markdown b", "give --markdown to --merge"},
		{"--shard 1/2 --json a --variant C/NB/skip-last", "--shard is a part"},
		{"--merge", "name the files"},
		{"--merge a --folds 5", "leave --folds out"},
		{"--merge a --only C", "leave --only out"},
		{"--merge a --json nosuch/out.json", "there is no folder nosuch"},
	}
	const proc = "/proc/self/fdinfo" // where even the superuser can make no file
	if _, err := os.Stat(proc); err == nil {
		cases = append(cases, refusal{"--markdown " + proc + "/a.md", "--markdown " + proc + "/a.md: open "})
	}
	for _, c := range cases {
		code, out, errs := call(t, append([]string{"uci"}, strings.Fields(c.args)...)...)
		if code != Usage || out != "" || !strings.Contains(errs, c.says) {
			t.Errorf("lab uci %s: code %d\n%s\n%s", c.args, code, out, errs)
		}
	}
}

// The published cell, which the variant finds, and the list that names it.
func TestUCIVariant(t *testing.T) {
	inCheckout(t, map[string]string{})
	code, out, errs := call(t, "uci", "--variant", "C/NB/skip-last")
	if code != 0 || !strings.Contains(out, "standard deviation 6.8752\nthe report: 61.6811") || !strings.Contains(out, "to the last digit") {
		t.Errorf("code %d\n%s\n%s", code, out, errs)
	}
	code, out, errs = call(t, "uci", "--variant", "list")
	if code != 0 || strings.Count(out, "\n") != len(uci.Variants()) || !strings.Contains(out, "C/NB/skip-last") {
		t.Errorf("list: code %d\n%s\n%s", code, out, errs)
	}
	// Two folds once are fewer than five accuracies.
	code, out, errs = call(t, strings.Fields("uci --variant C/BNB/skip-last --folds 2 --repeats 1")...)
	if code != 0 || strings.Contains(out, "to the last digit") {
		t.Errorf("two folds: code %d\n%s\n%s", code, out, errs)
	}
}

// What is known of published cells: each of Tables 2 and 4 names a command that makes it
// again, and the oracle of the digits is the report.
func TestUCICell(t *testing.T) {
	inCheckout(t, map[string]string{})
	for _, c := range []struct {
		cell  string
		parts []string
	}{
		{"C/NB", []string{"C/NB in Tables 2 and 3: the report has 61.6811, standard deviation 6.8752", "refuted on other sets", "tried until it was found: 40000",
			"It fits (exact): naive Bayes does not see the last attribute; rows in file order", "as the report counts: 61.6812, standard deviation 6.8752",
			"base rate: of 14 readings, 1 near, 1 exact", "Again: go run ./scripts/lab uci --variant C/NB/skip-last\n"}},
		{"car/nb", []string{"C/NB in Tables 2 and 3"}},
		{"C/RF", []string{"free: attributes of a tree, number of trees", "Again: go run ./scripts/lab uci --only C/RF\n"}},
		{"B/ID3", []string{"chosen by a look at the report's tables: nothing"}},
		{"E/kNN-D1", []string{"E/kNN-D1 in Table 4: the report has 84.1791, without a standard deviation", "of 15 readings, ", "--variant E/kNN-D1/k3"}},
		{"E/NB", []string{"free: order of the rows, intervals of the whole file", "a search of 20000 that found nothing"}},
		{"C/BNB", []string{"None fits. The closest: "}},
	} {
		code, out, errs := call(t, "uci", "--cell", c.cell)
		for _, part := range c.parts {
			if code != OK || errs != "" || !strings.Contains(out, part) {
				t.Errorf("%s: code %d, no %q in\n%s\n%s", c.cell, code, part, out, errs)
			}
		}
	}
	code, list, errs := call(t, "uci", "--cell", "list")
	if code != OK || errs != "" || strings.Count(list, "\n") != 39 {
		t.Errorf("list: code %d\n%s\n%s", code, list, errs)
	}
	for _, c := range publishedCells() {
		code, out, errs := call(t, "uci", "--cell", c.String())
		_, command, found := strings.Cut(out, "Again: go run ./scripts/lab ")
		if code != OK || errs != "" || !found {
			t.Fatalf("%s: code %d\n%s\n%s", c, code, out, errs)
		}
		// The command is one that there is: a variant's name, or cells that can be picked.
		words := strings.Fields(command)
		if words[1] == "--variant" {
			_, err := uci.VariantCalled(words[2])
			if err != nil {
				t.Errorf("%s: %v", c, err)
			}
		} else if _, err := parseOnly(words[2]); err != nil {
			t.Errorf("%s: %v", c, err)
		}
	}
}

// Breast by D2 is a cell of Table 4 that Table 2 does not have.
func TestUCIVariantOfTable4(t *testing.T) {
	var out strings.Builder
	e := &env{out: &out}
	e.sayVariant(uci.Cell{Set: uci.Breast, Algorithm: uci.KNNCityBlock, Accuracies: []float64{94, 95, 94, 95, 95}, Mean: 94.6})
	if !strings.HasSuffix(out.String(), "Table 4, which has no standard deviations: 94.6836\n") {
		t.Error(out.String())
	}
}

func TestUCIOnly(t *testing.T) {
	for _, c := range []struct{ list, want string }{
		{"C/ID3", "C/ID3"},
		{"car/id3, B/knn", "C/ID3 B/kNN-D1 B/kNN-D2 B/kNN-D3"},
		{"C/kNN", "C/kNN-D3"},
		{"kNN-D2", "B/kNN-D2 E/kNN-D2"},
		{"M", "M/ID3 M/RF M/AB M/NB M/BNB M/kNN-D3"},
	} {
		only, err := parseOnly(c.list)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range uci.Sets() {
			for _, a := range uci.Algorithms() {
				if only(s, a) {
					got = append(got, string(s)+"/"+string(a))
				}
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %s", c.list, got, c.want)
		}
	}
}

func TestUCIWritesResults(t *testing.T) {
	inCheckout(t, map[string]string{})
	code, out, errs := call(t, strings.Fields("uci --only C/NB --folds 5 --repeats 2 --seed 5 --json r.json --markdown r.md")...)
	if code != OK || errs != "" {
		t.Fatalf("code %d: %s", code, errs)
	}
	for _, part := range []string{"Table 1", "699 (report: 569)", "2 times 5-fold", "(61.68)", "C/NB does not come near the report's 61.68; --variant C/NB/skip-last does (exact)"} {
		if !strings.Contains(out, part) {
			t.Errorf("no %q in\n%s", part, out)
		}
	}
	if strings.ContainsAny(out, "\r\x1b") {
		t.Errorf("a bar where there is no terminal: %q", out)
	}
	var r uci.Result
	data, err := os.ReadFile("r.json")
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil || len(r.Cells) != 1 || len(r.Cells[0].Accuracies) != 10 || r.Seed != 5 {
		t.Errorf("%+v, %v", r, err)
	}
	if page, err := os.ReadFile("r.md"); err != nil || !strings.Contains(string(page), "--folds 5 --repeats 2 --seed 5") || !strings.Contains(string(page), "| NB | ") {
		t.Errorf("%s, %v", page, err)
	}
	if _, err := os.Stat("r.json.journal"); !os.IsNotExist(err) {
		t.Errorf("the journal is still there: %v", err)
	}
}

// Parts that are merged are one run, byte by byte; files that do not belong together are
// refused, and nothing is written.
func TestUCIShards(t *testing.T) {
	inCheckout(t, map[string]string{})
	const settings = "uci --only C/NB --folds 5 --repeats 2 --seed 5"
	lab := func(want int, line string) (out, errs string) {
		t.Helper()
		code, out, errs := call(t, strings.Fields(line)...)
		if code != want {
			t.Fatalf("lab %s: code %d\n%s\n%s", line, code, out, errs)
		}
		return out, errs
	}
	read := func(name string) string {
		t.Helper()
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	tables, _ := lab(OK, settings+" --json whole.json --markdown whole.md")
	for _, part := range []string{"1", "2", "3"} {
		if out, _ := lab(OK, settings+" --shard "+part+"/3 --json part-"+part+".json"); !strings.Contains(out, "part "+part+"/3, ") {
			t.Errorf("part %s says %q", part, out)
		}
	}
	if out, _ := lab(OK, "uci --merge part-3.json part-1.json part-2.json --json merged.json --markdown merged.md"); out != tables {
		t.Errorf("merged:\n%s\none run:\n%s", out, tables)
	}
	if read("merged.json") != read("whole.json") || read("merged.md") != read("whole.md") {
		t.Error("what the merged parts write is not what one run writes")
	}

	lab(OK, "uci --only C/NB --folds 5 --repeats 2 --seed 6 --shard 2/3 --json other.json")
	if err := os.WriteFile("forged.json", []byte(strings.Replace(read("part-2.json"), `"seed": 5`, `"seed": 6`, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ files, says string }{
		{"part-1.json part-3.json", "3 of 10 folds are missing, the first of them car, repeat 0, fold 1"},
		{"part-1.json other.json part-3.json", "part-1.json and other.json were made with different settings"},
		{"part-1.json forged.json part-3.json", "forged.json says other settings than part-1.json"},
		{"whole.json", "whole.json is not what --shard writes"},
		{"merged.md", "merged.md is not what --shard writes"},
		{".", ". is not what --shard writes"},
		{"nosuch.json", "nosuch.json: no such file"},
	} {
		if _, errs := lab(Failed, "uci --merge "+c.files+" --json refused.json"); !strings.Contains(errs, c.says) {
			t.Errorf("%s: %s", c.files, errs)
		}
		if _, err := os.Stat("refused.json"); !os.IsNotExist(err) {
			t.Errorf("%s: results all the same (%v)", c.files, err)
		}
	}
}

func TestUCIExportsFolds(t *testing.T) {
	inCheckout(t, map[string]string{})
	if code, _, errs := call(t, strings.Fields("uci --only C --folds 5 --repeats 2 --export-folds f.json")...); code != OK {
		t.Fatal(errs)
	}
	var out struct {
		Sets map[string][][]struct{ Train, Test []int }
	}
	data, err := os.ReadFile("f.json")
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil || len(out.Sets) != 1 || len(out.Sets["C"]) != 2 || len(out.Sets["C"][1]) != 5 {
		t.Fatalf("%v, %v", out, err)
	}
	for f, fold := range out.Sets["C"][1] {
		seen := map[int]bool{}
		for _, r := range append(fold.Train, fold.Test...) {
			seen[r] = true
		}
		if len(seen) != 1728 || len(fold.Train)+len(fold.Test) != 1728 || len(fold.Test)/345 != 1 {
			t.Errorf("fold %d: %d rows for training, %d for testing, %d different", f, len(fold.Train), len(fold.Test), len(seen))
		}
	}
}

// A journal that says something else than the truth shows that it was used, and one
// that does not fit that it was not.
func TestUCIUsesItsJournal(t *testing.T) {
	inCheckout(t, map[string]string{})
	args := strings.Fields("uci --only C/NB --folds 2 --repeats 2 --json r.json")
	_, want, _ := call(t, args...)
	whole, err := os.ReadFile("r.json")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, errs strings.Builder
	if code := Main(ctx, args, &out, &errs); code != Failed || !strings.Contains(out.String(), "keeps 0 folds") || !strings.Contains(errs.String(), "interrupted") {
		t.Fatalf("interrupted: code %d\n%s\n%s", code, out.String(), errs.String())
	}
	for _, c := range []struct {
		name  string
		spoil func(journal []byte) []byte
		says  string
	}{
		{"nothing done yet", func(j []byte) []byte { return j }, ""},
		{"damaged", func(j []byte) []byte { return append(j, "rubbish that is long enough\n"...) }, "line 2 is damaged"},
		{"of other settings", func([]byte) []byte { return []byte("ef16d074 {\"key\":\"old\"}\n") }, "r.json.journal: it is of other settings"},
	} {
		var o, e strings.Builder
		Main(ctx, args, &o, &e)
		journal, err := os.ReadFile("r.json.journal")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("r.json.journal", c.spoil(journal), 0o644); err != nil {
			t.Fatal(err)
		}
		code, out, errs := call(t, args...)
		got, err := os.ReadFile("r.json")
		if code != OK || err != nil || string(got) != string(whole) || !strings.Contains(out, c.says) || !strings.HasSuffix(out, want) {
			t.Errorf("%s: code %d, %v\n%s\n%s", c.name, code, err, out, errs)
		}
	}

	if err := os.WriteFile("r.json.journal", []byte("my diary\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	code, o, e := call(t, args...)
	if diary, _ := os.ReadFile("r.json.journal"); code != Failed || !strings.Contains(e, "choose another --json") || string(diary) != "my diary\n" {
		t.Errorf("a diary: code %d, then %q\n%s\n%s", code, diary, o, e)
	}
}

func TestBar(t *testing.T) {
	b := &bar{what: "folds", first: 10}
	for _, c := range []struct {
		done  int
		taken time.Duration
		want  string
	}{
		{10, 0, "[###...........................] 10/100 folds"},
		{40, 30 * time.Second, "[############..................] 40/100 folds, 1m0s left"},
		{100, 90 * time.Second, "[##############################] 100/100 folds"},
	} {
		if got := b.line(c.done, 100, c.taken); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
