//go:build !purego

package elementary

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/processor"
)

// useAVX2 and useFMA choose the assembly. Tests turn them off to compare.
var (
	useAVX2 = processor.AVX2
	useFMA  = processor.FMA
)

// expAVX is implemented in exp_amd64.s. n is a positive multiple of four; done is how
// many elements it has replaced before it met four of which one is too great in size or
// NaN.
//
//go:noescape
func expAVX(x *float64, n int, numbers *float64, powers *double) (done int)

// expHead replaces as many of the first elements as the assembly can.
func expHead(x []float64) int {
	n := len(x) &^ 3
	if !useAVX2 || n == 0 {
		return 0
	}
	return expAVX(&x[0], n, &expNumbers[0], &powers[0])
}

// logNumbers are what log1p computes with: single numbers, then vectors. log_amd64.s
// reads them at their places, 8 bytes a number.
type logNumbers struct {
	one             float64
	most            uint64 // the bits of the greatest argument that the assembly takes
	sqrtHalf        uint64
	oneBits         uint64
	two52           float64
	cells           float64
	half            float64
	first           uint64 // number of the first cell
	ninth, eighth   [4]float64
	seventh, sixth  [4]float64
	fifth, fourth   [4]float64
	third           [4]float64
	ln2High, ln2Low [4]float64
}

var log1pNumbers = func() *logNumbers {
	four := func(v float64) [4]float64 { return [4]float64{v, v, v, v} }
	return &logNumbers{
		one: 1, most: math.Float64bits(0x1p30), sqrtHalf: sqrtHalfBits, oneBits: math.Float64bits(1), two52: 0x1p52, cells: cells, half: 0.5, first: firstCell,
		ninth: four(1.0 / 9), eighth: four(0.125), seventh: four(1.0 / 7), sixth: four(1.0 / 6),
		fifth: four(0.2), fourth: four(0.25), third: four(1.0 / 3), ln2High: four(ln2.high), ln2Low: four(ln2.low),
	}
}()

// log1pAVX is implemented in log_amd64.s. n is a positive multiple of four; done is how
// many elements it has replaced before it met four of which one is negative, -0, too
// great or NaN.
//
//go:noescape
func log1pAVX(x *float64, n int, numbers *logNumbers, table *cell) (done int)

// log1pHead replaces as many of the first elements as the assembly can.
func log1pHead(x []float64) int {
	n := len(x) &^ 3
	if !useFMA || n == 0 {
		return 0
	}
	return log1pAVX(&x[0], n, log1pNumbers, &table[0])
}
