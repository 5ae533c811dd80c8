package site

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/waits"
)

// insert types a text where the focus is, as a whole.
func insert(ctx context.Context, text string) error { return input.InsertText(text).Do(ctx) }

// readNotebook waits for a file that a browser writes.
func readNotebook(t *testing.T, file string) *notebook.Notebook {
	t.Helper()
	for deadline := time.Now().Add(waits.Left(t)); ; time.Sleep(50 * time.Millisecond) {
		data, err := os.ReadFile(file)
		if err == nil {
			var nb *notebook.Notebook
			if nb, err = notebook.Parse(data); err == nil {
				return nb
			}
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}
