package co395

import "gonum.org/v1/gonum/stat/distuv"

// Normal is the density of a normal variable with mean 0 and standard deviation sd.
func Normal(sd float64) func(x float64) float64 { return distuv.Normal{Sigma: sd}.Prob }
