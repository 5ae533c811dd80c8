//go:build !purego

package kernel

// tiled says that products take whole tiles, which the assembly computes: every processor
// of this kind has it. Tests turn it off to compare.
var tiled = true

//go:noescape
func mulAddTilesNEON(c *float64, cStep int, a *float64, rowStep, sumStep int, b *float64, bStep, terms, tiles int)

//go:noescape
func mulAddHalfTilesNEON(c *float64, cStep int, a *float64, rowStep, sumStep int, b *float64, bStep, terms, tiles int)

// mulAddTiles adds tiles of the product, sums of so many terms, to c, of which they
// take so many columns from the first row down; rows of c are cStep apart, those of b
// bStep.
func mulAddTiles(c []float64, cStep, cols int, a factor, b []float64, bStep, terms, tiles int) {
	checkTiles(c, cStep, cols, a, b, bStep, terms, tiles)
	if cols == tileCols {
		mulAddTilesNEON(&c[0], cStep, &a.data[0], a.rowStep, a.sumStep, &b[0], bStep, terms, tiles)
	} else {
		mulAddHalfTilesNEON(&c[0], cStep, &a.data[0], a.rowStep, a.sumStep, &b[0], bStep, terms, tiles)
	}
}
