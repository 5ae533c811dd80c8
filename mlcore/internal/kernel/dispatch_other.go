//go:build !amd64 || purego

package kernel

import "math"

const useAVX2, useWide = false, false

// Without assembly, what is in plain Go does all.

func Padded(n int) int { return n }

func maxHead(_ []float64) (float64, int) { return math.Inf(-1), 0 }

func argMaxHead(_ []float64) (at, n int) { return 0, 0 }

func addScaledHead(_ []float64, _ float64, _ []float64) int { return 0 }

func scaleHead(_ []float64, _ float64) int { return 0 }

func shiftHead(_ []float64, _ float64) int { return 0 }

func divideHead(_ []float64, _ float64) int { return 0 }

func squaredDistancesHead(_, _, _ []float64, _ int) int { return 0 }

func dotsHead(_, _, _ []float64, _ int) int { return 0 }

func dividedDistancesHead(_, _, _, _ []float64) int { return 0 }

func nonZerosHead(_ []int32, _ []float64) (count, done int) { return 0, 0 }

func reluHead(_ []float64) int { return 0 }

func reluBackwardHead(_, _ []float64) int { return 0 }

func adamHead(_, _, _, _ []float64, _ *AdamRates) int { return 0 }

func expHead(_ []float64) int { return 0 }

func finiteHead(_ []float64) (int, bool) { return 0, true }

func subtractRowsHead(_ []float64, _ int, _ []float64, _, _ int, _ []float64) int { return 0 }
