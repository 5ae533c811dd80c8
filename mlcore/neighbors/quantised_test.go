package neighbors

import (
	"fmt"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// hardToQuantise are rows of d columns: normal, of different widths, mostly zeros, of all sizes,
// ties, and some far from the others.
func hardToQuantise(rng *rand.Rand, n, d int) map[string]*mat.Dense {
	made := func(of func(i, j int) float64) *mat.Dense {
		X := mat.NewDense(n, d, nil)
		X.Apply(func(i, j int, _ float64) float64 { return of(i, j) }, X)
		return X
	}
	return map[string]*mat.Dense{
		"normal":         made(func(_, _ int) float64 { return rng.NormFloat64() }),
		"far from 0":     made(func(_, _ int) float64 { return 1e6 + rng.NormFloat64() }),
		"of many widths": made(func(_, j int) float64 { return rng.NormFloat64() * math.Exp2(float64(-j)) }),
		"two columns":    made(func(_, j int) float64 { return rng.NormFloat64() / float64(1+1000*min(j/2, 1)) }),
		"mostly zeros":   made(func(_, _ int) float64 { return rng.NormFloat64() * float64(rng.IntN(20)/19) }),
		"heavy tails":    made(func(_, _ int) float64 { return math.Pow(rng.NormFloat64(), 5) }),
		"tenths":         made(func(_, _ int) float64 { return float64(rng.IntN(3)) / 10 }),
		"groups apart":   made(func(i, _ int) float64 { return float64(i%3) + 1e-3*rng.NormFloat64() }),
		"small":          made(func(_, _ int) float64 { return 1e-30 * rng.NormFloat64() }),
		"large":          made(func(_, _ int) float64 { return 1e30 * rng.NormFloat64() }),
		"one far away":   made(func(i, _ int) float64 { return rng.NormFloat64() + 1e6*float64(1-min(i, 1)) }),
	}
}

// Whole numbers bound the distance from below: of any two rows, it is no less than that of
// the numbers, less how far off both are, and a search for a radius leaves no row out.
func TestQuantisedRowsLeaveNothingOut(t *testing.T) {
	rng := mlcore.NewRand(21)
	forms := map[string]bool{} // digits, and whether there are groups
	for _, d := range []int{4, 5, 20, 21, 100, 601} {
		const n = 203
		hard := hardToQuantise(rng, n, d)
		for _, name := range slices.Sorted(maps.Keys(hard)) {
			X := hard[name]
			data := X.RawMatrix().Data
			p := quantiseRows(data, d, 2)
			if p == nil {
				if name == "normal" {
					t.Errorf("%d columns, %s: not quantised", d, name)
				}
				continue
			}
			forms[fmt.Sprint(p.digits, p.group < p.words, p.short())] = true
			for i := range 25 {
				q := X.RawRowView(i * 8)
				if i%2 == 0 {
					q = make([]float64, d)
					for j, v := range X.RawRowView(i * 8) {
						q[j] = v * (1 + rng.NormFloat64()*math.Pow(10, float64(i%5)-3))
					}
				}
				packed := p.query(q, &packedQuery{})
				if packed == nil {
					continue
				}
				for _, of := range []int{0, 1, n / 2, n - 1} { // the radius is that of a row
					limit := sumSquares(q, X.RawRowView(of), math.Inf(1))
					for pos := range n {
						most := p.reach(packed, pos/quantisedBlock, limit)
						passes := p.next(packed.words, pos, pos+1, most) == pos
						if within := sumSquares(q, X.RawRowView(pos), math.Inf(1)) <= limit; within && !passes {
							t.Fatalf("%d columns, %s: query %d: row %d is within the limit of row %d, and left out", d, name, i, pos, of)
						}
					}
				}
			}
		}
	}
	for _, form := range []string{"5 false true", "4 false false", "3 true false"} {
		if !forms[form] {
			t.Errorf("no rows of the form %s (digits, groups, few words), of %v", form, forms)
		}
	}
}

// Sums of products tell the inner products of whole numbers, up to the longest rows that a
// group may hold: those of math/big.
func TestProductsOfFewBits(t *testing.T) {
	rng := mlcore.NewRand(22)
	for digits := leastDigits; digits <= mostDigits; digits++ {
		for _, words := range []int{1, 4, 5, 13} {
			b := newFewBits(words*digits-1, digits, 1)
			b.means, b.step = make([]float64, b.d), 1
			p := &quantised{fewBits: b}
			draw := func(query bool) (numbers []float64, packed []uint64) {
				numbers, packed = make([]float64, b.d), make([]uint64, words)
				one := rng.IntN(3) == 0
				for j := range numbers {
					numbers[j] = math.Floor(b.room()/math.Sqrt(float64(b.d))) * float64(2*rng.IntN(2)-1)
					if one { // all in one column
						numbers[j] = 0
					}
				}
				if one {
					numbers[rng.IntN(b.d)] = math.Floor(b.room()) * float64(2*rng.IntN(2)-1)
				}
				if _, wrong := b.quantise(numbers, 1, packed, query); wrong > 1e-9 {
					t.Fatalf("%d digits: whole numbers are off by %v", digits, wrong)
				}
				return numbers, packed
			}
			for range 200 {
				x, row := draw(false)
				y, q := draw(true)
				want := new(big.Int)
				for j := range x {
					want.Add(want, new(big.Int).Mul(big.NewInt(int64(x[j])), big.NewInt(int64(y[j]))))
				}
				panel := make([][panelRows]uint64, words)
				for w, word := range row {
					panel[w][2] = word
				}
				_, _, sum, _ := p.groupProducts(panel, q)
				if got := p.top(sum); got != want.Int64() {
					t.Fatalf("%d digits, %d words: the product is %d, want %v", digits, words, got, want)
				}
			}
		}
	}
}

// The same of sums of absolute differences.
func TestRoundedBytesLeaveNothingOut(t *testing.T) {
	rng := mlcore.NewRand(23)
	for _, d := range []int{4, 8, 9, 20, 100} {
		const n = 203
		hard := hardToQuantise(rng, n, d)
		for _, name := range slices.Sorted(maps.Keys(hard)) {
			X := hard[name]
			p := roundToBytes(X.RawMatrix().Data, d, 2)
			if p == nil {
				if name == "normal" {
					t.Errorf("%d columns, %s: not rounded to bytes", d, name)
				}
				continue
			}
			for i := range 25 {
				q := slices.Clone(X.RawRowView(i * 8))
				for j := range q {
					if i%2 == 0 {
						q[j] *= 1 + rng.NormFloat64()*math.Pow(10, float64(i%5)-3)
					}
				}
				packed := p.query(q, &packedQuery{})
				if packed == nil {
					continue
				}
				for _, of := range []int{0, 1, n / 2, n - 1} { // the radius is that of a row
					limit := sumAbs(q, X.RawRowView(of), math.Inf(1))
					for pos := range n {
						most := p.most(packed, pos/quantisedBlock, limit)
						next, _ := nextBytes(p.rows[pos*p.words:][:p.words], packed.words[:p.words], 0, most)
						if within := sumAbs(q, X.RawRowView(pos), math.Inf(1)) <= limit; within && next > 0 {
							t.Fatalf("%d columns, %s: query %d: row %d is within the limit of row %d, and left out", d, name, i, pos, of)
						}
					}
				}
			}
		}
	}
}
