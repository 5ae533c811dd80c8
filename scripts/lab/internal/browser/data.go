package browser

import (
	"os"

	"github.com/mllabs-go/mllabs/datasets"
)

// data stores the files of the catalogue that are not compiled into programs. It returns
// them by name.
func (b *builder) data() (map[string]File, error) {
	files := map[string]File{}
	for _, set := range datasets.All() {
		found, err := datasets.Find(set.Name)
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			if f.From == datasets.FromEmbedded {
				continue
			}
			bytes, err := os.ReadFile(f.Path)
			if err != nil {
				return nil, err
			}
			if files[f.File.Name], err = b.store().put(set.Name+".txt", bytes); err != nil {
				return nil, err
			}
		}
	}
	return files, nil
}
