package kernel

import "testing"

func TestUniqueID(t *testing.T) {
	if a, b := UniqueID(), UniqueID(); a == b || len(a) != 8 {
		t.Errorf("%q and %q", a, b)
	}
}
