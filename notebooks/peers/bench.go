package peers

import _ "embed"

// BenchScript is the Python side of "lab bench"; it takes the path of a manifest.
//
//go:embed bench.py
var BenchScript string
