package neural

import (
	"math/rand/v2"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
)

// tileRows is how many rows are carried through the network at a time: few
// enough for what they need to stay in the processor's cache.
const tileRows = 64

// A tile is the room for some rows on their way through the network: one row of
// each matrix for each of them, reused from tile to tile.
type tile struct {
	x      selection       // a⁽⁰⁾
	a      []kernel.Matrix // a⁽ˡ⁾ of each layer
	kept   []kernel.Matrix // dropout: 0 or 1/(1-Dropout) for each element of a
	out    []kernel.Matrix // a, or with dropout a ∘ kept: what the next layer sees
	delta  []kernel.Matrix // δ⁽ˡ⁾
	target kernel.Matrix
	codes  []int // of the targets, -1 where the target has to be looked at
	weight []float64

	rows    []int
	scratch []float64
	buf     kernel.Buffer
}

func newTile(n *Network) *tile {
	t := &tile{
		rows: make([]int, tileRows), codes: make([]int, tileRows), weight: make([]float64, tileRows),
		target: kernel.Matrix{Data: make([]float64, tileRows*n.Outputs())},
	}
	widest := 0
	room := func(units int) kernel.Matrix { return kernel.Matrix{Data: make([]float64, tileRows*units)} }
	for _, d := range n.layers {
		widest = max(widest, d.Units)
		a := room(d.Units)
		out, kept := a, kernel.Matrix{}
		if d.Dropout > 0 {
			out, kept = room(d.Units), room(d.Units)
		}
		t.a, t.out, t.kept, t.delta = append(t.a, a), append(t.out, out), append(t.kept, kept), append(t.delta, room(d.Units))
	}
	t.scratch = make([]float64, tileRows*widest)
	return t
}

// load takes rows lo to lo+rows of the input.
func (t *tile) load(in *input, lo, rows int) {
	t.rows = t.rows[:rows]
	for i := range t.rows {
		t.rows[i] = lo + i
	}
	t.take(in, t.rows)
}

// take takes the given rows of the input, at most tileRows.
func (t *tile) take(in *input, rows []int) {
	t.x.take(in, rows)
	for l := range t.a {
		for _, m := range []*kernel.Matrix{&t.a[l], &t.out[l], &t.kept[l], &t.delta[l]} {
			resize(m, len(rows))
		}
	}
	resize(&t.target, len(rows))
	t.weight = t.weight[:len(rows)]
}

// resize sets the number of rows of a matrix with room for tileRows of them.
func resize(m *kernel.Matrix, rows int) {
	m.Cols = cap(m.Data) / tileRows
	m.Rows = rows
	m.Data = m.Data[:rows*m.Cols]
}

// drop draws which outputs of layer l are kept.
func (t *tile) drop(l int, rate float64, rng *rand.Rand) {
	scale := 1 / (1 - rate)
	kept, a, out := t.kept[l].Data, t.a[l].Data, t.out[l].Data
	for i := range kept {
		kept[i] = 0
		if rng.Float64() >= rate {
			kept[i] = scale
		}
		out[i] = float64(a[i] * kept[i])
	}
}

// class is that of the target of row i.
func (t *tile) class(i int, output Activation) int {
	if k := t.codes[i]; k >= 0 {
		return k
	}
	return class(t.target.Row(i), output)
}
