//go:build !purego

package kernel

import "github.com/mllabs-go/mllabs/mlcore/internal/processor"

// tiled says that products take whole tiles, which the assembly computes. Tests turn it off
// to compare.
var tiled = processor.AVX2

// Implemented in the assembly beside this file. terms and tiles are positive, steps are in
// elements.

//go:noescape
func mulAddTilesAVX(c *float64, cStep int, a *float64, rowStep, sumStep int, b *float64, bStep, terms, tiles int)

// mulAddTilesWide takes twice as many tiles as it has pairs.
//
//go:noescape
func mulAddTilesWide(c *float64, cStep int, a *float64, rowStep, sumStep int, b *float64, bStep, terms, pairs int)

//go:noescape
func mulAddHalfTilesAVX(c *float64, cStep int, a *float64, rowStep, sumStep int, b *float64, bStep, terms, tiles int)

// mulAddTiles adds tiles of the product, sums of so many terms, to c, of which they
// take so many columns from the first row down; rows of c are cStep apart, those of b
// bStep.
func mulAddTiles(c []float64, cStep, cols int, a factor, b []float64, bStep, terms, tiles int) {
	checkTiles(c, cStep, cols, a, b, bStep, terms, tiles)
	if pairs := tiles / 2; useWide && cols == tileCols && pairs > 0 {
		mulAddTilesWide(&c[0], cStep, &a.data[0], a.rowStep, a.sumStep, &b[0], bStep, terms, pairs)
		if tiles -= 2 * pairs; tiles == 0 {
			return
		}
		c, a.data = c[2*pairs*tileRows*cStep:], a.data[2*pairs*tileRows*a.rowStep:]
	}
	if cols == tileCols {
		mulAddTilesAVX(&c[0], cStep, &a.data[0], a.rowStep, a.sumStep, &b[0], bStep, terms, tiles)
	} else {
		mulAddHalfTilesAVX(&c[0], cStep, &a.data[0], a.rowStep, a.sumStep, &b[0], bStep, terms, tiles)
	}
}
