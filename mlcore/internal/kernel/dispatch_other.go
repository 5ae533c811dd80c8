//go:build (!amd64 && !arm64) || purego

package kernel

const useVectors, useWide = false, false

// Without assembly, what is in plain Go does all.

func Padded(n int) int { return n }

func argMaxHead(_ []float64) (at, n int) { return 0, 0 }

func addScaledHead(_ []float64, _ float64, _ []float64) int { return 0 }

func scaleHead(_ []float64, _ float64) int { return 0 }

func shiftHead(_ []float64, _ float64) int { return 0 }

func divideHead(_ []float64, _ float64) int { return 0 }

func squaredDistancesHead(_, _, _ []float64, _ int) int { return 0 }

func manhattanDistancesHead(_, _, _ []float64, _ int) int { return 0 }

func chebyshevDistancesHead(_, _, _ []float64, _ int) int { return 0 }

func dotsHead(_, _, _ []float64, _ int) int { return 0 }

func dividedDistancesHead(_, _, _, _ []float64) int { return 0 }

func reluHead(_ []float64) int { return 0 }

func reluBackwardHead(_, _ []float64) int { return 0 }

func adamHead(_, _, _, _ []float64, _ *AdamRates) int { return 0 }

func subtractRowsHead(_ []float64, _ int, _ []float64, _, _ int, _ []float64) int { return 0 }
