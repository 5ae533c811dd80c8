package grade

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/sandbox"
)

const root = "../../../.." // the checkout that programs are compiled in

// neighbours is the grader of lab3/01: Distances (2 points, which NearestRows uses),
// NearestRows (3, which NearestNeighboursPredict uses), NearestNeighboursPredict (5) and
// Standardise (3).
var neighbours = sync.OnceValues(func() (*Grader, error) {
	nb, err := notebook.Read(filepath.Join(root, "notebooks", "lab3", "01_nearest_neighbours.ipynb"))
	if err != nil {
		return nil, err
	}
	return New(context.Background(), sandbox.Unsafe(), root, nb)
})

// Right answers, written otherwise than the worked ones.
const (
	distances = `func Distances(X *mat.Dense, q []float64) []float64 {
	n, d := X.Dims()
	out := make([]float64, 0, n)
	for i := 0; i < n; i++ {
		sum := 0.0
		for j := 0; j < d; j++ {
			sum += math.Pow(X.At(i, j)-q[j], 2)
		}
		out = append(out, math.Sqrt(sum))
	}
	return out
}`
	nearest = `func NearestRows(X *mat.Dense, q []float64, k int) []int {
	d := Distances(X, q)
	rows := make([]int, len(d))
	for i := range rows {
		rows[i] = i
	}
	sort.SliceStable(rows, func(a, b int) bool { return d[rows[a]] < d[rows[b]] })
	if k > len(rows) {
		k = len(rows)
	}
	return rows[:k]
}`
	predict = `func NearestNeighboursPredict(trainX *mat.Dense, trainY []int, testX *mat.Dense, neighbours int) []int {
	n, _ := testX.Dims()
	var all []int
	for i := 0; i < n; i++ {
		labels := []int{}
		for _, r := range NearestRows(trainX, testX.RawRowView(i), neighbours) {
			labels = append(labels, trainY[r])
		}
		all = append(all, lab3.Vote(labels, nil))
	}
	return all
}`
	standardise = `func Standardise(train, X *mat.Dense) *mat.Dense {
	var z mat.Dense
	z.Apply(func(i, j int, v float64) float64 {
		mean, sd := stat.MeanStdDev(mat.Col(nil, j, train), nil)
		return (v - mean) / sd
	}, X)
	return &z
}`
)

func perfect() map[string]string {
	return map[string]string{"distances": distances, "nearest-rows": nearest, "predict": predict, "standardise": standardise}
}

// with is perfect answers with some replaced.
func with(pairs ...string) map[string]string {
	m := perfect()
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return m
}

func TestGrade(t *testing.T) {
	g, err := neighbours()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		byID   map[string]string
		extra  []string
		points string // of each exercise
		states string
		says   string // in some Why or error
	}{
		{name: "perfect", byID: perfect(), points: "2 3 5 3"},
		{name: "blank", points: "0 0 0 0", states: "not written, not written, not written, not written"},
	} {
		t.Run(c.name, func(t *testing.T) {
			before, ran := g.Built(), g.Ran()
			sheet, err := g.Grade(context.Background(), Answers{ByID: c.byID, Extra: c.extra})
			if err != nil {
				t.Fatal(err)
			}
			points, states, text := marks(sheet)
			if points != c.points || c.states != "" && states != c.states || !strings.Contains(text, c.says) {
				t.Errorf("%s (%s), want %s (%s)\n%s", points, states, c.points, c.states, text)
			}
			t.Logf("%d built, %d runs", g.Built()-before, g.Ran()-ran)
		})
	}
}
