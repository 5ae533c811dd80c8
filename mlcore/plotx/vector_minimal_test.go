//go:build minimal

package plotx

import (
	"strings"
	"testing"
)

// Run with -tags=minimal: what a cell may ask for, and what it is told.
func TestMinimalFormats(t *testing.T) {
	fig := Placeholder("title", "text")
	if data, err := Encode(fig, "png"); err != nil || len(data) == 0 {
		t.Errorf("png: %d bytes, %v", len(data), err)
	}
	for _, format := range []string{"svg", "pdf", "bmp"} {
		if _, err := Encode(fig, format); err == nil || !strings.Contains(err.Error(), "use png") {
			t.Errorf("%s: %v", format, err)
		}
	}
}
