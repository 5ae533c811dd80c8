//go:build !amd64 || purego

package flattree

func applyHead(_ []int32, _ []codedNode, _ []uint8, _ int) int { return 0 }
