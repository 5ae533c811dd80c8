package linear

import (
	"github.com/mllabs-go/mllabs/mlcore/internal/cg"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
)

// A newtonCG is Newton's method with conjugate gradients, which multiply by the second
// derivatives without holding them, the more exactly the nearer the minimum is
// (Eisenstat & Walker, 1996, "Choosing the forcing terms in an inexact Newton method").
// It is for problems without an l1 penalty.
type newtonCG struct {
	*search
	length float64 // of the gradient at the last step, 0 before there is any
}

// mostProducts bounds those of one step.
const mostProducts = 500

// step makes one step. It returns false where none makes f less.
func (n *newtonCG) step() bool {
	size := n.f.size()
	share, length := 0.1, kernel.Norm(n.grad)
	if n.length > 0 {
		ratio := length / n.length
		share = min(max(float64(ratio*ratio), 1e-6), share)
	}
	n.length = length
	direction, down := make([]float64, size), make([]float64, size)
	kernel.AddScaled(down, -1, n.grad)
	cg.Solve(direction, down, n.f.curvatures(), n.f.times, share, min(2*size, mostProducts))
	return n.follow(direction)
}

// times sets out to the product of the second derivatives, where eval was last called,
// and v.
func (f *likelihood) times(out, v []float64) {
	B := f.outputs
	f.addChunks(out, func(part []float64, s *chunkScratch, lo, hi int) {
		z := s.residual[:(hi-lo)*B]
		f.scores(z, v, lo, hi, &s.buf)
		for i, w := range f.weight[lo:hi] {
			p, z := f.prob[(lo+i)*B:][:B], z[i*B:][:B]
			mean := float64(p[0] * z[0])
			if B > 1 {
				mean = kernel.Dot(p, z)
			}
			for k, pk := range p {
				z[k] = float64(w * float64(pk*(z[k]-mean)))
			}
		}
		f.backward(part, z, lo, hi, &s.buf)
	})
	kernel.AddScaled(out[f.base*B:], f.l2, v[f.base*B:])
}

// curvatures returns the diagonal of the second derivatives, where eval was last called;
// 1 where it is 0, since nothing depends on such a parameter.
func (f *likelihood) curvatures() []float64 {
	B, sum := f.outputs, make([]float64, f.size())
	f.addChunks(sum, func(part []float64, s *chunkScratch, lo, hi int) {
		m := make([]float64, B)
		for i := lo; i < hi; i++ {
			for k, p := range f.prob[i*B:][:B] {
				m[k] = float64(f.weight[i] * float64(p*(1-p)))
			}
			if f.base == 1 {
				kernel.AddScaled(part[:B], 1, m)
			}
			f.x.each(i, func(j int, v float64) {
				at := (f.base + j) * B
				for k, curve := range m {
					part[at+k] += float64(curve * float64(v*v))
				}
			})
		}
	})
	for i := range sum {
		if i >= f.base*B {
			sum[i] += f.l2
		}
		if sum[i] < 0x1p-1000 {
			sum[i] = 1
		}
	}
	return sum
}

// addChunks sets sum to what add adds to a part of it for each chunk of rows.
func (f *likelihood) addChunks(sum []float64, add func(part []float64, s *chunkScratch, lo, hi int)) {
	size := f.size()
	part := func(c int) []float64 { return f.parts[c*(size+1):][:size] }
	f.team.Do(f.chunks(), func(member, c int) {
		clear(part(c))
		add(part(c), f.scratch(member), c*chunkRows, min((c+1)*chunkRows, f.x.n))
	})
	clear(sum)
	for c := range f.chunks() {
		kernel.AddScaled(sum, 1, part(c))
	}
}
