//go:build !purego

package kernel

import "golang.org/x/sys/cpu"

var useTops = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// topsFMA is Tops of count > 0 panels, d > 0 columns and tileCount > 0 tiles.
//
//go:noescape
func topsFMA(a *topsArgs)
