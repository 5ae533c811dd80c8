package sandbox

import (
	"context"
	"os"
	"testing"
)

// contained is a sandbox. Where there is none the test is skipped, but not with CI set.
func contained(t *testing.T) Runner {
	t.Helper()
	r, err := Find(context.Background())
	if err != nil && os.Getenv("CI") == "" {
		t.Skip("needs a sandbox: ", err)
	} else if err != nil {
		t.Fatal(err)
	}
	if !r.Contains() {
		t.Fatal("what was found does not contain anything")
	}
	return r
}

// Find has itself looked whether it holds.
func TestFind(t *testing.T) { contained(t) }
