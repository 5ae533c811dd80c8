//go:build (!amd64 && !arm64) || purego

package kernel

const useNarrow = false

func topsFMA(*topsArgs) {}

func nextBytes(_ *uint8, _, _ int, _ *uint8, _ bool, _ int16, _ *[BytePanelRows]int16) (int, uint32) {
	return 0, 0
}

func nextSinglesFMA(_, _ *float32, _, _ int, _ *float32, _ *SingleLimit) (int, uint32) { return 0, 0 }

func nextSinglesAbsolute(_, _ *float32, _, _ int, _ *float32, _ *SingleLimit) (int, uint32) {
	return 0, 0
}

func singlesWithinFMA(*singlesArgs) {}

func singlesWithinWide(*singlesArgs) {}
