package datasets

import (
	"bytes"
	"testing"
)

func TestEmbeddedCopiesArePinned(t *testing.T) {
	for _, name := range []string{"car", "iris", "synthetic"} {
		set, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range set.Files {
			data, err := embeddedFile(f.Name)
			if err != nil {
				t.Fatal(err)
			}
			if err := check(f, data, "the embedded copy"); err != nil || int64(len(data)) != f.Size {
				t.Errorf("%d bytes, want %d: %v", len(data), f.Size, err)
			}
		}
	}
}

func TestSyntheticIsWhatItsGeneratorComputes(t *testing.T) {
	data, err := embeddedFile("synthetic.csv")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data, syntheticCSV()) {
		t.Error("files/synthetic.csv is not what syntheticCSV computes")
	}
}
