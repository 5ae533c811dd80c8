package neural

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// forward computes a⁽ˡ⁾ = h(a⁽ˡ⁻¹⁾ W⁽ˡ⁾ + b⁽ˡ⁾) for l = 1 … L and the rows of a
// tile. With a nil rng nothing is dropped.
func (n *Network) forward(t *tile, rng *rand.Rand) {
	for l, layer := range n.layers {
		z := t.a[l]
		for i := range z.Rows {
			copy(z.Row(i), n.params.B[l])
		}
		if l == 0 {
			t.x.mulAdd(z, n.params.weights(l), &t.buf)
		} else {
			kernel.MulAdd(z, t.out[l-1], n.params.weights(l), &t.buf)
		}
		layer.Activation.apply(z, t.scratch[:len(z.Data)])
		switch {
		case layer.Dropout == 0:
		case rng != nil:
			t.drop(l, layer.Dropout, rng)
		default:
			copy(t.out[l].Data, z.Data)
		}
	}
}

// backward adds to gradient the derivatives of Σᵢ wᵢ ℓ(aᵢ, tᵢ) over the rows of a
// tile that forward has seen, where w is t.weight. transposed holds W⁽ˡ⁾ᵀ for all
// layers but the first, where it is not needed.
func (n *Network) backward(t *tile, gradient *Parameters, transposed []kernel.Matrix, dropped bool) {
	last := len(n.layers) - 1

	// δ⁽ᴸ⁾ = ∂(wℓ)/∂z⁽ᴸ⁾
	n.loss.delta(t.delta[last], t.a[last], t.target, n.output())
	for i, w := range t.weight {
		row := t.delta[last].Row(i)
		for k := range row {
			row[k] *= w
		}
	}
	for l := last; l >= 0; l-- {
		delta := t.delta[l]

		// ∂L/∂b⁽ˡ⁾ = Σ rows of δ⁽ˡ⁾
		for i := range delta.Rows {
			kernel.AddScaled(gradient.B[l], 1, delta.Row(i))
		}

		// ∂L/∂W⁽ˡ⁾ = a⁽ˡ⁻¹⁾ᵀ δ⁽ˡ⁾
		if l == 0 {
			t.x.mulTransAdd(gradient.weights(l), delta, &t.buf)
			break
		}
		kernel.MulTransAdd(gradient.weights(l), t.out[l-1], delta, &t.buf)

		// δ⁽ˡ⁻¹⁾ = δ⁽ˡ⁾ W⁽ˡ⁾ᵀ ∘ h'(z⁽ˡ⁻¹⁾), and 0 for what was dropped
		before := t.delta[l-1]
		clear(before.Data)
		kernel.MulAdd(before, delta, transposed[l], &t.buf)
		if dropped && n.layers[l-1].Dropout > 0 {
			for i, k := range t.kept[l-1].Data {
				before.Data[i] *= k
			}
		}
		n.layers[l-1].Activation.backward(before, t.a[l-1])
	}
}

// A backprop finds gradients and losses over batches of rows. Its results depend
// on the batch alone, not on the number of workers.
type backprop struct {
	net   *Network
	data  data
	team  *par.Team // nil: one goroutine
	parts []*part
	// sum is the gradient of the latest batch, once it is complete.
	sum    *Parameters
	used   int      // how many parts the latest batch has
	copies []copied // of each member of the team
	round  uint64   // how often the parameters have been stepped
}

// copied is what a member of the team needs for itself.
type copied struct {
	net        *Network
	transposed []kernel.Matrix // W⁽ˡ⁾ᵀ of all layers but the first
	round      uint64          // that the parameters are of
	// stepped is where other members leave new parameters; nil: net is the one that is
	// trained.
	stepped []float64
}

// mostCopied is the greatest number of parameters of which each member has its own.
const mostCopied = 1 << 17

// A part is a piece of a batch, worked on by one goroutine.
type part struct {
	tile     *tile
	gradient *Parameters
	measure  measure
}

// A measure collects, over rows, what a history tells.
type measure struct {
	weight float64 // Σ w
	loss   float64 // Σ w ℓ, in the end divided by weight
	score  float64 // Σ w where the class is right, or Σ w (a-t)²/2
}

func (m *measure) add(o measure) {
	m.weight += o.weight
	m.loss += o.loss
	m.score += o.score
}

const (
	// maxParts bounds the number of parts, and so the memory for gradients.
	maxParts = 8
	// parallelWork is the number of products of a row and a weight from which on
	// it pays to call the team.
	parallelWork = 60_000
)

// numParts is the number of parts of a batch of so many rows.
func numParts(rows int) int { return min(maxParts, (rows+tileRows-1)/tileRows) }

func newBackprop(n *Network, d data, team *par.Team) *backprop {
	return &backprop{net: n, data: d, team: team, sum: newParameters(n.inputs, n.layers), copies: make([]copied, team.Size())}
}

// forMember returns the network of a member of the team. Were all to read the parameters
// themselves, who steps them would have to take memory back from processors that hold
// copies, which takes several times as long as taking over what another has written. So
// they are sent to a place of each member's, which it reads and clears.
func (b *backprop) forMember(member int) *copied {
	own, params := &b.copies[member], b.net.params
	switch {
	case own.net == nil:
		own.net = b.net
		if len(b.copies) > 1 && len(params.Values) <= mostCopied {
			net := *b.net
			net.params = parametersOf(slices.Clone(params.Values), net.inputs, net.layers)
			own.net, own.stepped = &net, make([]float64, len(params.Values))
		}
		own.transposed = make([]kernel.Matrix, len(b.net.layers))
		for l := 1; l < len(own.transposed); l++ {
			w := params.weights(l)
			own.transposed[l] = kernel.Matrix{Data: make([]float64, len(w.Data)), Rows: w.Cols, Cols: w.Rows}
		}
	case own.round == b.round:
		return own
	case own.stepped != nil:
		copy(own.net.params.Values, own.stepped)
		clear(own.stepped)
	}
	for l := 1; l < len(own.transposed); l++ {
		kernel.Transpose(own.transposed[l], own.net.params.weights(l))
	}
	own.round = b.round
	return own
}

// take steps the parameters by the gradient of the latest batch.
func (b *backprop) take(s steps, rate float64) {
	params := b.net.params.Values
	s.take(params, b.sum.Values, rate, b.team, b.complete, func(lo, hi int) {
		for _, c := range b.copies {
			if c.stepped != nil {
				copy(c.stepped[lo:hi], params[lo:hi])
			}
		}
	})
	b.round++
}

// part returns part k, made when first needed. The first adds to sum itself.
func (b *backprop) part(k int) *part {
	for len(b.parts) <= k {
		p := &part{tile: newTile(b.net), gradient: b.sum}
		if len(b.parts) > 0 {
			p.gradient = newParameters(b.net.inputs, b.net.layers)
		}
		b.parts = append(b.parts, p)
	}
	return b.parts[k]
}

// A dropStream says where the random numbers of dropout come from: the seed and
// the number of the training step. Nil means that nothing is dropped.
type dropStream struct {
	seed uint64
	step uint64
}

func (s *dropStream) rng(part int) *rand.Rand {
	if s == nil {
		return nil
	}
	return mlcore.NewRand(s.seed, streamDropout, s.step, uint64(part))
}

// gradient leaves in b.sum the gradient of the loss of the batch, penalties
// included, and returns its measure.
func (b *backprop) gradient(rows []int, drop *dropStream) measure {
	m := b.backpropagate(rows, drop)
	b.complete(0, len(b.sum.Values))
	return m
}

// backpropagate is gradient but for the last step, complete.
func (b *backprop) backpropagate(rows []int, drop *dropStream) measure {
	total := 0.0
	for _, r := range rows {
		total += b.data.weight(r)
	}
	penalty := 0.0
	m := b.inParts(rows, func(member, k int, p *part, rows []int) {
		own := b.forMember(member)
		if k == 0 {
			penalty = own.net.penalty()
			clear(p.gradient.Values) // those of the other parts are clear
		}
		rng := drop.rng(k)
		p.eachTile(b.data, rows, func(t *tile) {
			own.net.forward(t, rng)
			p.measure.add(own.net.measure(t))
			for i := range t.weight {
				t.weight[i] /= total
			}
			own.net.backward(t, p.gradient, own.transposed, rng != nil)
		})
	})
	b.used = numParts(len(rows))
	m.loss = m.loss/m.weight + penalty
	return m
}

// complete adds to the elements of b.sum from lo to hi those of the other parts, and the
// derivatives of the penalty.
func (b *backprop) complete(lo, hi int) {
	for _, p := range b.parts[1:b.used] {
		kernel.AddScaled(b.sum.Values[lo:hi], 1, p.gradient.Values[lo:hi])
		// Who has read it clears it: see forMember.
		clear(p.gradient.Values[lo:hi])
	}
	b.net.addPenalty(b.sum.Values, lo, hi)
}

// evaluate returns the measure of rows, without gradient.
func (b *backprop) evaluate(rows []int) measure {
	m := b.inParts(rows, func(_, _ int, p *part, rows []int) {
		p.eachTile(b.data, rows, func(t *tile) {
			b.net.forward(t, nil)
			p.measure.add(b.net.measure(t))
		})
	})
	m.loss /= m.weight
	return m
}

// inParts cuts rows into parts, runs f on each and adds up what they measured, in
// order.
func (b *backprop) inParts(rows []int, f func(member, k int, p *part, rows []int)) measure {
	parts := numParts(len(rows))
	b.part(parts - 1)
	team := b.team
	if len(rows)*len(b.sum.Values) < parallelWork {
		team = nil
	}
	team.Do(parts, func(member, k int) {
		b.parts[k].measure = measure{}
		f(member, k, b.parts[k], rows[boundary(k, parts, len(rows)):boundary(k+1, parts, len(rows))])
	})
	var m measure
	for k := range parts {
		m.add(b.parts[k].measure)
	}
	return m
}

// boundary is where part k of so many rows begins: at a multiple of four rows,
// which products take at a time.
func boundary(k, parts, rows int) int {
	if k == parts {
		return rows
	}
	return k * rows / parts &^ 3
}

// eachTile runs f on the rows, a tile at a time, with targets and weights.
func (p *part) eachTile(d data, rows []int, f func(t *tile)) {
	t := p.tile
	for lo := 0; lo < len(rows); lo += tileRows {
		some := rows[lo:min(lo+tileRows, len(rows))]
		t.take(d.in, some)
		for i, r := range some {
			t.codes[i] = d.t.fill(t.target.Row(i), r)
			t.weight[i] = d.weight(r)
		}
		f(t)
	}
}

// measure judges the answers of a tile.
func (n *Network) measure(t *tile) measure {
	var m measure
	a := t.a[len(t.a)-1]
	for i, w := range t.weight {
		answer, target := a.Row(i), t.target.Row(i)
		m.weight += w
		m.loss += float64(w * n.loss.value(answer, target, n.output()))
		switch {
		case n.loss == Squared:
			for k, v := range answer {
				d := v - target[k]
				m.score += float64(w * float64(0.5*float64(d*d))) // overflows where the loss does
			}
		case class(answer, n.output()) == t.class(i, n.output()):
			m.score += w
		}
	}
	return m
}

// class is the code of the largest probability, the lowest on a tie. A single
// sigmoid is the probability of class 1.
func class(p []float64, output Activation) int {
	if len(p) == 1 && output == Sigmoid {
		if p[0] > 0.5 {
			return 1
		}
		return 0
	}
	return kernel.ArgMax(p)
}

// penalty returns L1 Σ|W| + ½ L2 Σ W².
func (n *Network) penalty() float64 {
	sum := 0.0
	if n.L1 == 0 && n.L2 == 0 {
		return sum
	}
	for l := range n.layers {
		w := n.params.weights(l).Data
		if n.L2 != 0 {
			sum += float64(0.5 * float64(n.L2*kernel.SumSquares(w)))
		}
		if n.L1 != 0 {
			sum += float64(n.L1 * sumAbs(w))
		}
	}
	return sum
}

// sumAbs is Σ|w|.
func sumAbs(w []float64) float64 {
	sum := 0.0
	for _, v := range w {
		sum += math.Abs(v)
	}
	return sum
}

// addPenalty adds the derivatives of the penalty to the elements of a gradient from lo to
// hi. At W = 0, where |W| has a kink, the derivative is taken as 0.
func (n *Network) addPenalty(gradient []float64, lo, hi int) {
	if n.L1 == 0 && n.L2 == 0 {
		return
	}
	start := 0
	for l := range n.layers {
		w := n.params.weights(l).Data
		if from, to := max(lo, start), min(hi, start+len(w)); from < to {
			g, w := gradient[from:to], w[from-start:to-start]
			if n.L2 != 0 {
				kernel.AddScaled(g, n.L2, w)
			}
			if n.L1 != 0 {
				addSigns(g, n.L1, w)
			}
		}
		start += len(w) + len(n.params.B[l])
	}
}

// addSigns adds scale·sign(w) to g.
func addSigns(g []float64, scale float64, w []float64) {
	for i, v := range w {
		switch {
		case v > 0:
			g[i] += scale
		case v < 0:
			g[i] -= scale
		}
	}
}
