//go:build !handout && !light

package command

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/notebooks/atomicfile"
	"github.com/mllabs-go/mllabs/notebooks/uci"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/journal"
)

var uciCommand = command{
	name:  "uci",
	args:  "[PART...]",
	short: "run the UCI experiment: six algorithms on five sets, 10 x 5-fold",
	long: `
Cross-validates the algorithms of the course "uci" on its data sets and prints its
Tables 1 to 4, ours with the report's in brackets. The seed decides everything:
results are the same whatever the number of workers.

With --json FILE a run that is stopped, by Ctrl-C or by anything else, leaves what
it has done in FILE.journal; the same command then goes on from there. A journal of
other settings or of another version of the program is not used, but moved to
FILE.journal.old.

--variant NAME runs a reading of the report under which one of its cells comes out, on
that cell alone; --variant list lists them.

--cell NAME says what the audit knows of a cell of Table 2, such as C/NB, or of Table 4,
such as E/kNN-D1: the readings that were tried, the one that fits best with its digits,
what was free in it, how many of all readings with such a freedom would do as well, and
the command that makes it again. It runs nothing; --cell list lists the cells.

--only picks data sets (C B E M L), algorithms (ID3 RF AB NB BNB kNN, or kNN-D1 to
kNN-D3) and pairs of them, separated by commas: --only C,B/NB,kNN.

--shard 2/5 does the second of five equal parts and writes its folds to the file of
--json; --merge, with the files of all parts as arguments, makes the tables and the
results that one run would have made. It takes the settings from the files.`,
	run: func(fs *flag.FlagSet) func(context.Context, *env, []string) error {
		var x experiment
		fs.IntVar(&x.Folds, "folds", 5, "folds of each cross-validation")
		fs.IntVar(&x.Repeats, "repeats", 10, "times that the rows are cut into folds anew")
		fs.Uint64Var(&x.Seed, "seed", 1, "seed of everything that is drawn")
		fs.IntVar(&x.Workers, "workers", 0, "folds at a time; 0 is one a processor")
		fs.StringVar(&x.only, "only", "", "data sets, algorithms and SET/ALGORITHM pairs to run")
		fs.StringVar(&x.variant, "variant", "", "run one reading of the report by its name; list: list them")
		fs.StringVar(&x.cell, "cell", "", "say how a published cell comes out, and run nothing; list: list the cells")
		fs.StringVar(&x.json, "json", "", "write the results, fold by fold, to this file as JSON")
		fs.StringVar(&x.markdown, "markdown", "", "write the tables to this file")
		fs.StringVar(&x.shard, "shard", "", "do part I of N, `I/N`, and write it to the file of --json")
		fs.BoolVar(&x.merge, "merge", false, "merge the files of parts")
		fs.StringVar(&x.folds, "export-folds", "", "write the training and test rows of every fold to this file as JSON, and run nothing")
		return func(ctx context.Context, e *env, args []string) error {
			fs.Visit(func(f *flag.Flag) { x.given = append(x.given, f.Name) })
			return x.run(ctx, e, args)
		}
	},
}

// experiment is the command's flags.
type experiment struct {
	uci.Experiment
	only, variant, cell, json, markdown, folds, shard string

	merge bool
	given []string // names of the flags on the command line

	part, parts int // of the shard, from 0
}

// maxRepeats and maxFolds refuse slips of the keyboard. The smallest set has 336
// rows.
const (
	maxRepeats = 1000
	maxFolds   = 336
)

func (x *experiment) check(args []string) error {
	if x.merge {
		return x.checkMerge(args)
	}
	if x.cell != "" {
		return x.checkCell(args)
	}
	switch {
	case len(args) > 0:
		return usagef("uci takes no arguments without --merge, got %q; --only picks data sets and algorithms", args)
	case x.Folds < 2 || x.Folds > maxFolds:
		return usagef("--folds %d: 2 to %d, the rows of the smallest data set", x.Folds, maxFolds)
	case x.Repeats < 1 || x.Repeats > maxRepeats:
		return usagef("--repeats %d: 1 to %d", x.Repeats, maxRepeats)
	case x.Workers < 0:
		return usagef("--workers %d: 0 or more", x.Workers)
	case x.variant != "" && (x.markdown != "" || x.folds != ""):
		return usagef("--variant is about one cell and makes no tables; it goes with --json")
	case x.shard != "" && x.json == "":
		return usagef("--shard %s: --json FILE names the file of the part, which --merge reads", x.shard)
	case x.shard != "" && (x.markdown != "" || x.folds != "" || x.variant != ""):
		return usagef("--shard is a part of the experiment, which makes no tables; give --markdown to --merge")
	case x.folds != "" && (x.json != "" || x.markdown != ""):
		return usagef("--export-folds runs nothing, so there is nothing for --json and --markdown to write")
	}
	var err error
	if x.part, x.parts, err = parseShard(x.shard); err != nil {
		return err
	}
	if err := x.checkFiles(); err != nil {
		return err
	}
	if x.variant != "" {
		return x.takeVariant()
	}
	x.Only, err = parseOnly(x.only)
	return err
}

// checkFiles refuses what cannot be written.
func (x *experiment) checkFiles() error {
	files := map[string]string{}
	for _, f := range []struct{ flag, path string }{{"--json", x.json}, {"--markdown", x.markdown}, {"--export-folds", x.folds}} {
		if f.path == "" {
			continue
		}
		// A result is not to be lost for want of a folder after minutes of work.
		if info, err := os.Stat(filepath.Dir(f.path)); err != nil || !info.IsDir() {
			return usagef("%s %s: there is no folder %s", f.flag, f.path, filepath.Dir(f.path))
		}
		if info, err := os.Stat(f.path); err == nil && info.IsDir() {
			return usagef("%s %s: that is a folder", f.flag, f.path)
		}
		if err := atomicfile.CanWrite(f.path); err != nil {
			return usagef("%s %s: %v", f.flag, f.path, err)
		}
		path := filepath.Clean(f.path)
		if other, twice := files[path]; twice {
			return usagef("%s and %s both name %s", other, f.flag, f.path)
		}
		files[path] = f.flag
	}
	return nil
}

// takeVariant makes the experiment that of a variant. What is in file order has nothing to
// repeat.
func (x *experiment) takeVariant() error {
	if x.only != "" {
		return usagef("--variant is about one cell, so there is nothing for --only to pick")
	}
	if x.variant == "list" {
		return nil
	}
	v, err := uci.VariantCalled(x.variant)
	if err != nil {
		return usagef("--variant: %v", err)
	}
	e := v.Experiment(x.Seed)
	x.Only, x.Settings, x.Splitter, x.WholeFile = e.Only, e.Settings, e.Splitter, e.WholeFile
	if v.InFileOrder {
		x.Repeats = 1
	}
	return nil
}

// sayVariants lists the variants.
func (e *env) sayVariants() {
	for _, v := range uci.Variants() {
		free := ""
		if len(v.Free) > 0 {
			free = " (chosen by a look at the cell: " + strings.Join(v.Free, ", ") + ")"
		}
		e.say("%-20s %s%s", v.Name, v.Reading, free)
	}
}

// sayVariant says what a variant found beside what the report has.
func (e *env) sayVariant(c uci.Cell) {
	for i, a := range c.Accuracies {
		if i == 5 {
			break
		}
		e.say("fold %d: %.4f %%", i+1, a)
	}
	row := c.Algorithm
	if strings.HasPrefix(string(row), string(uci.KNN)) {
		row = uci.KNN
	}
	said, _ := uci.Published(c.Set, row)
	e.say("mean of all %s: %.4f; of the first five, ten times over, as the report counts: %.4f, standard deviation %.4f", plural(len(c.Accuracies), "fold"), c.Mean, c.TenTimes().Mean, c.TenTimes().SD)
	if mean, ok := uci.PublishedDistance(c.Set, c.Algorithm); ok && mean != said.Mean {
		e.say("the report's Table 4, which has no standard deviations: %.4f", mean)
		return
	}
	e.say("the report: %.4f, standard deviation %.4f", said.Mean, said.SD)
	if c.TenTimes().Is(said) {
		e.say("That is the report's cell to the last digit.")
	}
}

// parseOnly reads a list of sets, algorithms and pairs; nil stands for all.
func parseOnly(list string) (func(uci.Set, uci.Algorithm) bool, error) {
	if list == "" {
		return nil, nil
	}
	type pair struct {
		set       uci.Set
		algorithm uci.Algorithm
	}
	picked := map[pair]bool{}
	for _, word := range strings.Split(list, ",") {
		left, right, isPair := strings.Cut(strings.TrimSpace(word), "/")
		sets, algorithms := setsCalled(left), uci.Algorithms()
		switch {
		case isPair:
			algorithms = algorithmsCalled(right)
		case sets == nil:
			sets, algorithms = uci.Sets(), algorithmsCalled(left)
		}
		found := false
		for _, s := range sets {
			for _, a := range algorithms {
				if a.Runs(s) {
					picked[pair{s, a}], found = true, true
				}
			}
		}
		if !found {
			return nil, usagef("--only %s: %q is no data set (%s), algorithm (%s, kNN) or pair that the report has", list, word, join(uci.Sets()), join(uci.Algorithms()))
		}
	}
	return func(s uci.Set, a uci.Algorithm) bool { return picked[pair{s, a}] }, nil
}

func setsCalled(name string) []uci.Set {
	for _, s := range uci.Sets() {
		if strings.EqualFold(name, string(s)) || strings.EqualFold(name, s.Name()) {
			return []uci.Set{s}
		}
	}
	return nil
}

func algorithmsCalled(name string) []uci.Algorithm {
	if strings.EqualFold(name, string(uci.KNN)) {
		return []uci.Algorithm{uci.KNNSquared, uci.KNNCityBlock, uci.KNNHamming}
	}
	for _, a := range uci.Algorithms() {
		if strings.EqualFold(name, string(a)) {
			return []uci.Algorithm{a}
		}
	}
	return nil
}

func join[T ~string](names []T) string {
	var words []string
	for _, n := range names {
		words = append(words, string(n))
	}
	return strings.Join(words, " ")
}

func (x *experiment) run(ctx context.Context, e *env, args []string) error {
	if err := x.check(args); err != nil {
		return err
	}
	if x.variant == "list" {
		e.sayVariants()
		return nil
	}
	if x.cell != "" {
		return e.sayCell(x.cell)
	}
	if x.merge {
		r, err := x.mergeParts(args)
		if err != nil {
			return err
		}
		return x.finish(e, r)
	}
	if x.folds != "" {
		return x.exportFolds()
	}
	r, err := x.compute(ctx, e)
	if err != nil || r == nil { // a part has no result
		return err
	}
	if x.variant != "" {
		e.sayVariant(r.Cells[0])
		return nil
	}
	return x.finish(e, r)
}

// finish says the tables of a result, and writes them.
func (x *experiment) finish(e *env, r *uci.Result) error {
	tables := append([]uci.Table{uci.Sizes()}, r.Tables()...)
	for _, t := range tables {
		e.say("%s", t)
	}
	if err := e.sayFar(r); err != nil {
		return err
	}
	if x.markdown != "" {
		var page strings.Builder
		fmt.Fprintf(&page, "# The UCI experiment\n\nMade by `go run ./scripts/lab uci --folds %d --repeats %d --seed %d`; the report's numbers in brackets.\n", r.Folds, r.Repeats, r.Seed)
		for _, t := range tables {
			page.WriteString("\n" + t.Markdown())
		}
		return atomicfile.Write(filepath.Clean(x.markdown), []byte(page.String()))
	}
	return nil
}

// sayFar names the cells whose means are further from the report's than another cut into
// folds explains, and what the audit of package uci knows about them.
func (e *env) sayFar(r *uci.Result) error {
	runs, err := uci.Committed()
	if err != nil {
		return err
	}
	for _, f := range r.Far(append(runs.Audit(), runs.AuditDistances()...)) {
		known := fmt.Sprintf("no reading is known under which it does (%s tried)", plural(f.Tried, "reading"))
		switch {
		case f.Kind != uci.NotFound && f.Variant == "":
			known = "ten repeats with the seed 1 do (" + f.Kind.String() + ")"
		case f.Kind != uci.NotFound:
			known = fmt.Sprintf("--variant %s does (%s)", f.Variant, f.Kind)
		}
		e.say("%s/%s does not come near the report's %.2f; %s.", f.Set, f.Row, f.Said.Mean, known)
	}
	return nil
}

// compute runs the experiment. With a file for its results it keeps a journal
// beside it until the results are there. Of a part it writes the folds, and returns nil.
func (x *experiment) compute(ctx context.Context, e *env) (*uci.Result, error) {
	bar := newBar(e.out, "folds")
	x.Progress = bar.show
	defer bar.clear()
	if x.json == "" {
		return x.Run(ctx)
	}
	path := filepath.Clean(x.json)
	key, err := x.key()
	if err != nil {
		return nil, err
	}
	j, entries, note, err := journal.Open(path+".journal", strings.TrimSpace(key+" "+x.shard))
	switch {
	case errors.Is(err, journal.ErrInUse):
		return nil, fmt.Errorf("%s: another run is about to write it; wait for that, or choose another --json", path)
	case errors.Is(err, journal.ErrForeign):
		return nil, fmt.Errorf("%w; move it away, or choose another --json", err)
	case err != nil:
		return nil, err
	}
	defer func() {
		if j != nil {
			j.Close()
		}
	}()
	if note != "" {
		e.say("%s.journal: %s", path, note)
	}
	for _, entry := range entries {
		var f uci.Fold
		if err := json.Unmarshal(entry, &f); err != nil {
			return nil, fmt.Errorf("%s.journal: %w; delete it", path, err)
		}
		x.Known = append(x.Known, f)
	}
	if len(x.Known) > 0 {
		e.say("%s.journal: going on after %s", path, plural(len(x.Known), "fold"))
	}
	done := len(x.Known)
	x.Done = func(f uci.Fold) error { done++; return j.Add(f) }
	var r *uci.Result
	var file any
	if x.shard != "" {
		p := x.header(key)
		p.Done, err = x.RunPart(ctx, x.part, x.parts)
		file = p
	} else {
		r, err = x.Run(ctx)
		file = r
	}
	if err != nil {
		bar.clear()
		e.say("%s.journal: keeps %s; the same command goes on from there", path, plural(done, "fold"))
		return nil, err
	}
	if err := writeJSON(path, file); err != nil {
		return nil, err
	}
	if x.shard != "" {
		bar.clear()
		e.say("%s: part %s, %s", path, x.shard, plural(done, "fold"))
	}
	err = j.Remove()
	j = nil
	return r, err
}

func writeJSON(path string, value any) error {
	data, err := json.MarshalIndent(value, "", " ")
	if err != nil {
		return err
	}
	return atomicfile.Write(path, append(data, '\n'))
}

// key stands for all that the result depends on: the settings, and this program
// itself, whose bytes say which version of the code, of its packages and of Go it
// is made of.
func (x *experiment) key() (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "folds %d repeats %d seed %d variant %s\n", x.Folds, x.Repeats, x.Seed, x.variant)
	for _, s := range uci.Sets() {
		for _, a := range uci.Algorithms() {
			if a.Runs(s) && (x.Only == nil || x.Only(s, a)) {
				fmt.Fprintf(h, "%s/%s\n", s, a)
			}
		}
	}
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(self)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// wants says whether any algorithm is to run on a set.
func (x *experiment) wants(s uci.Set) bool {
	return x.Only == nil || slices.ContainsFunc(uci.Algorithms(), func(a uci.Algorithm) bool { return x.Only(s, a) })
}

// exportFolds writes the rows of every fold, for each set and repeat: what another
// program needs to do the same experiment.
func (x *experiment) exportFolds() error {
	type rows struct {
		Train []int `json:"train"`
		Test  []int `json:"test"`
	}
	out := struct {
		Folds   int                  `json:"folds"`
		Repeats int                  `json:"repeats"`
		Seed    uint64               `json:"seed"`
		Sets    map[uci.Set][][]rows `json:"sets"` // by repeat, then fold
	}{x.Folds, x.Repeats, x.Seed, map[uci.Set][][]rows{}}
	for _, s := range uci.Sets() {
		if !x.wants(s) {
			continue
		}
		ds, err := s.Load()
		if err != nil {
			return err
		}
		for r := range x.Repeats {
			folds, err := x.Split(s, ds, r)
			if err != nil {
				return err
			}
			var list []rows
			for _, fold := range folds.All() {
				list = append(list, rows(fold))
			}
			out.Sets[s] = append(out.Sets[s], list)
		}
	}
	data, err := json.Marshal(out)
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Clean(x.folds), append(data, '\n'))
}
