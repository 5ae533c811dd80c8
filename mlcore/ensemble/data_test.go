package ensemble_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// dataRows reads a data file from MLLABS_DATASETS or beside the checkout, and
// skips the test where there is none. Fields are parted by commas or, without
// any, by spaces.
func dataRows(tb testing.TB, name string) [][]string {
	tb.Helper()
	for _, dir := range []string{os.Getenv("MLLABS_DATASETS"), filepath.Join("..", "..", "datasets", "files"), filepath.Join("..", "..", "..", "shared", "datasets")} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if dir == "" || err != nil {
			continue
		}
		var rows [][]string
		for line := range strings.Lines(string(data)) {
			if line = strings.TrimSpace(line); line == "" {
				continue
			}
			if strings.Contains(line, ",") {
				rows = append(rows, strings.Split(line, ","))
			} else {
				rows = append(rows, strings.Fields(line))
			}
		}
		return rows
	}
	tb.Skipf("%s is not here; set MLLABS_DATASETS to the folder that has it", name)
	return nil
}
