package cluster

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// Whole numbers of 128 bits, rounded: the oracle is math/big.
func TestWideFloat(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	numbers := []wide{{}, {1, 0}, {math.MaxUint64, 0}, {0, 1}, {math.MaxUint64, math.MaxUint64}, {0, 1 << 63}, {1, 1 << 63}, {math.MaxUint64, math.MaxInt64}}
	for shift := range uint(127) {
		// Ties, and what is a last digit away from one.
		for _, digits := range []uint64{1<<53 + 1, 1<<53 + 3, 1<<54 - 1} {
			tie := wide{digits << shift, digits >> 1 >> (63 - min(shift, 63))}
			if shift > 63 {
				tie = wide{0, digits << (shift - 64) & math.MaxInt64}
			}
			numbers = append(numbers, tie, wide{tie.lo + 1, tie.hi}, wide{tie.lo | 1, ^tie.hi}, wide{r.Uint64() >> (shift / 2), uint64(int64(r.Uint64()) >> (shift / 2))})
		}
	}
	for _, n := range numbers {
		exact := new(big.Int).SetInt64(int64(n.hi))
		exact.Lsh(exact, 64)
		exact.Add(exact, new(big.Int).SetUint64(n.lo))
		want, _ := new(big.Float).SetInt(exact).Float64()
		if got := n.float(); got != want {
			t.Errorf("%v: %v, want %v", exact, got, want)
		}
	}
}

// Rows go from cluster to cluster and back; the oracle is math/big.
func TestExactSums(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, workers := range []int{1, 3} {
		team := par.NewTeam(workers)
		for _, size := range [][3]int{{1, 1, 1}, {30, 3, 4}, {700, 5, 3}, {2000, 70, 7}, {1100, 16, 600}, {9000, 2, 3}, {600, 30, 4}} {
			n, d, k := size[0], size[1], size[2]
			X := mat.NewDense(n, d, nil)
			X.Apply(func(_, j int, _ float64) float64 {
				scale := -min(40*j, 985) // hardly larger than numbers that have fewer digits
				v := math.Ldexp(r.NormFloat64(), scale)
				if math.Abs(v) < math.Ldexp(1, scale-30) {
					return 0
				}
				return v
			}, X)
			tab := newTable(X, nil, team)
			if tab.bases == nil {
				t.Fatalf("%v: no exact sums", size)
			}
			l := &lloyd{table: tab, team: team, k: k}
			l.exact = newExactSums(k, tab.bases)
			l.split()
			labels := make([]int, n)
			for _, changes := range []int{n, n / 2, 3, 0, n} {
				for at := range l.parts {
					l.parts[at].moves = l.parts[at].moves[:0]
				}
				for _, i := range r.Perm(n)[:min(changes, n)] {
					p := &l.parts[i/partSize(n)]
					labels[i] = r.IntN(k)
					p.put(i-p.lo, int32(labels[i]))
				}
				l.exact.follow(l)
				if got, want := l.sums(), sumsInFull(tab, labels, k); !slices.Equal(got, want) {
					t.Errorf("%v, %d goroutines, %d changes: the sums differ from those in full", size, workers, changes)
				}
			}
		}
		team.Close()
	}
}

// cycle is n numbers that take turns.
func cycle(n int, values ...float64) []float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = values[i%len(values)]
	}
	return all
}

// after is two numbers n times in turn, and then others.
func after(n int, one, two float64, others ...float64) []float64 {
	return append(cycle(n, one, two), others...)
}

// The exponents of the numbers of a column may differ by 43. Its mean is 0 here.
func TestUnitsOf(t *testing.T) {
	for _, tc := range []struct {
		name  string
		rows  []float64
		exact bool
	}{
		{"equal sizes", []float64{1, -1, 1.5, -1.5}, true},
		{"zeros", []float64{0, 0, 0, 0}, true},
		{"one number", []float64{3, 3, 3, 3}, true},
		{"as different as can be", []float64{1, -1, 0x1p-43, -0x1p-43}, true},
		{"digits below", []float64{1, -1, 0x1.8000000000001p-43, -0x1.8000000000001p-43}, true},
		{"too different", []float64{1, -1, 0x1.fffffffffffffp-44, -0x1.fffffffffffffp-44}, false},
		{"too different beside 0", []float64{1, -1, 0x1p-44, -0x1p-44, 0, 0}, false},
		{"next to 0", []float64{1, -1, 0x1p-1060, -0x1p-1060}, false},
		{"a tiny number after many", after(700, 1, -1, 0x1p-50, -0x1p-50), false},
		// Rounding moves the means of these a little away from a value.
		{"three whole numbers", cycle(3000, 0, 1, 2), true},
		{"five whole numbers", cycle(300, 1, 2, 3, 4, 5), true},
		{"tenths", cycle(3000, 0.1, 0.2, 0.3), true},
		{"tenths around 0", cycle(9999, -0.1, 0, 0.1), true},
		{"tenths far away", cycle(3000, 1e6+0.1, 1e6+0.2, 1e6+0.3), true},
		{"one value but for a few", after(3000, 1, 1, 5), true},
	} {
		rows := mat.NewDense(len(tc.rows), 2, nil)
		for i, v := range tc.rows {
			rows.SetRow(i, []float64{1, v})
		}
		team := par.NewTeam(1)
		if got := newTable(rows, nil, team).bases != nil; got != tc.exact {
			t.Errorf("%s: exact sums: %v", tc.name, got)
		}
		team.Close()
	}
}

// Weights of 1 are the same as none, but for the last digits of sums that are added up part
// by part, and so are rows in another order.
func TestSumsEveryWay(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const n, d = 3000, 4
	X, turned, ones := mat.NewDense(n, d, nil), mat.NewDense(n, d, nil), make([]float64, n)
	for i := range n {
		for j := range d {
			X.Set(i, j, r.NormFloat64()+float64(i%5*j))
		}
		turned.SetRow(n-1-i, X.RawRowView(i))
		ones[i] = 1
	}
	cfg := KMeansConfig{Centres: X.Slice(0, 5, 0, d)}
	fit := func(X *mat.Dense, w []float64) *KMeans {
		ds := mlcore.FromMatrix[int](X, nil, nil)
		ds.Weights = w
		m, err := cfg.Fit(ds)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	want := fit(X, nil)
	for name, got := range map[string]*KMeans{"weights of 1": fit(X, ones), "from the last row to the first": fit(turned, nil)} {
		if !mat.EqualApprox(got.centres, want.centres, 1e-13) {
			t.Errorf("%s: centres\n%v, want\n%v", name, mat.Formatted(got.centres), mat.Formatted(want.centres))
		}
	}
}
