package bench

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/notebooks/peers"
)

// The rows of the table keep their data, whatever else is made up in the same way: the
// digests are those of the rows before there were other numbers of columns and classes.
func TestContinuousKeepsItsRows(t *testing.T) {
	for _, c := range []struct {
		n    int
		want string
	}{{1000, "6e1400a96e10889c"}, {10_000, "bf99c913c8a05163"}} {
		train, test, err := continuous(c.n)
		if err != nil {
			t.Fatal(err)
		}
		if train.Len() != c.n || test.Len() != 20_000 {
			t.Errorf("%d training and %d test rows", train.Len(), test.Len())
		}
		if got := digest(t, train, test); got != c.want {
			t.Errorf("%d rows: digest %s, want %s", c.n, got, c.want)
		}
	}
}

func digest(t *testing.T, all ...*mlcore.Dataset) string {
	t.Helper()
	h := sha256.New()
	for _, ds := range all {
		for _, part := range []any{ds.X.RawMatrix().Data, int64s(ds.Y)} {
			if err := binary.Write(h, binary.LittleEndian, part); err != nil {
				t.Fatal(err)
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// All classes are common: none has less than half or more than twice its share.
func TestMadeUpClasses(t *testing.T) {
	for _, classes := range []int{2, 4, 8, 16, 32} {
		train, test, err := madeUp{rows: 10_000, columns: 7, classes: classes, queries: 10}.make()
		if err != nil {
			t.Fatal(err)
		}
		if err := train.Validate(); err != nil {
			t.Error(err)
		}
		if train.NumFeatures() != 7 || test.Len() != 10 || len(train.ClassNames) != classes {
			t.Errorf("%d columns, %d test rows, %d classes", train.NumFeatures(), test.Len(), len(train.ClassNames))
		}
		for k, n := range train.ClassCounts() {
			if share := float64(n*classes) / 10_000; share < 0.5 || share > 2 {
				t.Errorf("class %d of %d has %v times its share", k, classes, share)
			}
		}
	}
	for _, m := range []madeUp{{rows: 10, columns: 4, classes: 2}, {rows: 10, columns: 5, classes: 1}} {
		if _, _, err := m.make(); !errors.Is(err, mlcore.ErrConfig) {
			t.Errorf("%+v: error %v", m, err)
		}
	}
}

func TestGrowthWorkloadsAreWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, w := range Workloads() {
		seen[w.Name] = true
	}
	for i, w := range growthWorkloads() {
		c := peers.GrowthGrid()[i]
		if seen[w.Name] || w.prepare == nil || w.data == nil || w.Peer != c.Peer || w.processors() != c.Threads || w.trees != 20 {
			t.Errorf("%v: workload %+v", c, w)
		}
		seen[w.Name] = true
		if !strings.Contains(peers.BenchScript, `"`+w.Key+`":`) {
			t.Errorf("%v: the peer's script does not know %q", c, w.Key)
		}
		if long := c.Rows == 1_000_000 && (c.Work == peers.CART || c.Work == peers.Forest); w.once != long {
			t.Errorf("%v: once is %v", c, w.once)
		}
	}
}

func TestExportSaysThreadsAndTrees(t *testing.T) {
	w := flowers
	w.threads, w.trees = 1, 20
	path, err := w.export(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), `"threads":1,"trees":20`) {
		t.Errorf("manifest %s (%v)", text, err)
	}
}

// steady answers each run with the same times, and what is asked before one.
const steady = `while read line; do
	if [ "$line" = ready ]; then echo '{}'; else echo '{"seconds": 7, "score": 0.5}'; fi
done
echo '{"peak_bytes": 1048576, "versions": {"lightgbm": "9"}}'`

func TestMeasureGrowth(t *testing.T) {
	t.Setenv("BENCH_TEST_WORKER", "1")
	grid := []peers.GrowthCase{{Work: "a", Rows: 10}, {Work: "b", Rows: 10, LeftOut: "too long"}}
	measure := func(python string) (*peers.Growth, int, error) {
		told := 0
		g, err := measureGrowth(context.Background(), grid, func(peers.GrowthCase) Workload { return flowers },
			Options{Self: []string{os.Args[0]}, Python: python, Runs: 2}, func(i, of int, line string) { told++ })
		return g, told, err
	}
	g, told, err := measure(fakePython(t, steady))
	if err != nil {
		t.Fatal(err)
	}
	if told != 2 || len(g.Points) != 2 || g.Machine == "" || g.Processors < 1 || g.Measured == "" || g.Versions["lightgbm"] != "9" || g.Versions["go"] == "" {
		t.Errorf("told %d times, %+v", told, g)
	}
	for i, p := range g.Points {
		if p.GrowthCase != grid[i] || p.Runs != 2 || p.Seconds <= 0 || p.Score != flowersScore {
			t.Errorf("point %+v", p)
		}
	}
	few := flowers
	few.most = 1
	if r, err := Measure(context.Background(), few, Options{Self: []string{os.Args[0]}, Runs: 2}); r.Runs != 1 {
		t.Errorf("at most one run: %d, error %v", r.Runs, err)
	}
	if a, b := g.Points[0], g.Points[1]; a.PeerSeconds != 7 || a.PeerScore != 0.5 || a.PeerPeakBytes != 1<<20 || b.PeerSeconds != 0 || b.PeerPeakBytes != 0 {
		t.Errorf("the peer's side: %+v and, left out, %+v", a, b)
	}
	for name, python := range map[string]string{
		"no peer":   fakePython(t, `echo '{"unavailable": "No module named lightgbm"}'`),
		"no Python": "",
		"a failure": fakePython(t, "exit 1"),
	} {
		if g, _, err := measure(python); err == nil || g != nil || !strings.Contains(err.Error(), "a, 10 rows") {
			t.Errorf("%s: %+v, error %v", name, g, err)
		}
	}
}
