//go:build (amd64 || arm64) && !purego

package kernel

// topsFMA is Tops of count > 0 panels, d > 0 columns and tileCount > 0 tiles.
//
//go:noescape
func topsFMA(a *topsArgs)

// nextBytes is nextBytesGo of count > 0 panels of pairs > 0.
//
//go:noescape
func nextBytes(values *uint8, count, pairs int, q *uint8, squared bool, most int16, distances *[BytePanelRows]int16) (panel int, within uint32)

// nextSinglesFMA is Next of count > 0 panels of d > 0 columns.
//
//go:noescape
func nextSinglesFMA(values, longest *float32, count, d int, q *float32, limit *SingleLimit) (panel int, within uint32)

// nextSinglesAbsolute is NextAbsolute of count > 0 panels of d > 0 columns.
//
//go:noescape
func nextSinglesAbsolute(values, longest *float32, count, d int, q *float32, limit *SingleLimit) (panel int, within uint32)

// singlesWithinFMA is Within, or Sums, of count > 0 pairs of panels, d > 0 columns and
// tileCount > 0 tiles.
//
//go:noescape
func singlesWithinFMA(a *singlesArgs)
