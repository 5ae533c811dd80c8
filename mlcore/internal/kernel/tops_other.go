//go:build !amd64 || purego

package kernel

const useTops = false

func topsFMA(*topsArgs) {}
