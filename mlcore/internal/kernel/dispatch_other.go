//go:build !amd64

package kernel

func mulAddTile(c []float64, cStep int, a factor, b []float64, bStep, terms int) {
	mulAddTileGo(c, cStep, a, b, bStep, terms)
}

// Without assembly, the loops in Go do all elements.

func addScaledHead(_ []float64, _ float64, _ []float64) int { return 0 }

func squaredDistancesHead(_, _, _ []float64, _ int) int { return 0 }

func reluHead(_ []float64) int { return 0 }

func reluBackwardHead(_, _ []float64) int { return 0 }

func adamHead(_, _, _, _ []float64, _ *AdamRates) int { return 0 }

func expHead(_ []float64) int { return 0 }

func finiteHead(_ []float64) (int, bool) { return 0, true }

func subtractRowsHead(_ []float64, _ int, _ []float64, _, _ int, _ []float64) int { return 0 }
