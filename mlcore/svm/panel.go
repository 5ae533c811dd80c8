package svm

import (
	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// A panel is some rows of a space, column by column: a processor takes several rows at
// a time, each of which is still summed from its first value to its last. Of wide rows a
// few at a time lie together, so that what is read next is near.
type panel struct {
	rows   []int32
	width  int             // rows in a block, but for the last
	blocks []kernel.Matrix // each d×width, of the kernels that need them
}

// A block has about blockValues numbers, which stay near to the processor, but holds
// narrowest rows at least, as many as the assembly takes at a time.
const (
	blockValues = 1 << 13
	narrowest   = 16
)

// panel returns the given rows, which it keeps.
func (s *space) panel(rows []int32) panel {
	p := panel{rows: rows, width: max(blockValues/(s.d+1)/narrowest*narrowest, narrowest)}
	switch s.kernel.(type) {
	case Linear, Polynomial, RBF:
		values := make([]float64, s.d*len(rows))
		for first := 0; first < len(rows); first += p.width {
			some := rows[first:min(first+p.width, len(rows))]
			block := kernel.Matrix{Data: values[:s.d*len(some)], Rows: s.d, Cols: len(some)}
			values = values[len(block.Data):]
			for t, r := range some {
				for j, v := range s.at(r) {
					block.Data[j*len(some)+t] = v
				}
			}
			p.blocks = append(p.blocks, block)
		}
	}
	return p
}

// fill sets dst[t] to k(x, row first+t of the panel).
func (s *space) fill(dst, x []float64, p panel, first int) {
	switch k := s.kernel.(type) {
	case Linear, Polynomial:
		p.each(kernel.Dots, dst, x, first)
		s.finish(dst)
	case RBF:
		p.each(kernel.SquaredDistances, dst, x, first)
		kernel.Scale(dst, -k.Gamma)
		elementary.ExpEach(dst)
	default:
		for t, r := range p.rows[first : first+len(dst)] {
			dst[t] = k.Eval(x, s.at(r))
		}
	}
}

// finish makes values of the kernel of products of rows.
func (s *space) finish(products []float64) {
	if k, ok := s.kernel.(Polynomial); ok {
		for t, v := range products {
			products[t] = k.of(v)
		}
	}
}

// each calls a function for the part of dst that belongs to each block.
func (p panel) each(call func(dst, x []float64, block kernel.Matrix, first int), dst, x []float64, first int) {
	for len(dst) > 0 {
		block, at := p.blocks[first/p.width], first%p.width
		n := min(len(dst), block.Cols-at)
		call(dst[:n], x, block, at)
		dst, first = dst[n:], first+n
	}
}

// A row of the kernel matrix is shared out among a team in pieces of about this many
// values of X; less is not worth the call.
const pieceValues = 1 << 13

// fillParallel is fill of the whole panel by a team.
func (s *space) fillParallel(dst, x []float64, p panel, team *par.Team) {
	piece := pieceValues/(s.d+8) + 1
	if len(dst) < 2*max(piece, narrowest) {
		s.fill(dst, x, p, 0)
		return
	}
	// As many pieces as members, or a multiple of it: all are done at about the same time.
	turns := max(1, len(dst)/(piece*team.Size()))
	pieces := turns * team.Size()
	piece = (len(dst) + pieces - 1) / pieces
	piece = (piece + narrowest - 1) / narrowest * narrowest
	team.Chunks(len(dst), piece, func(_, lo, hi int) { s.fill(dst[lo:hi], x, p, lo) })
}
