package download

import (
	"os"
	"path/filepath"
)

// A part is a file that is still coming. It stands beside its place under one name,
// which the fetcher's lock gives to one process at a time: what a killed process left
// there is written over.
type part struct {
	*os.File
	place string
	done  bool // the file stands under its part's name no more
}

func createPart(place string) (*part, error) {
	name := filepath.Join(filepath.Dir(place), "."+filepath.Base(place)+".part")
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return nil, err
	}
	return &part{File: f, place: place}, nil
}

// Commit puts the file in its place, with all its bytes on the disk. After an error
// what stood there is as it was.
func (p *part) Commit() error {
	if err := p.Sync(); err != nil {
		return err
	}
	if err := p.Close(); err != nil {
		return err
	}
	err := os.Rename(p.Name(), p.place)
	p.done = err == nil
	return err
}

// Discard leaves the place as it was. It does nothing after a Commit that succeeded.
func (p *part) Discard() error {
	if p.done {
		return nil
	}
	p.done = true
	p.Close() // Commit may have done so
	return os.Remove(p.Name())
}
