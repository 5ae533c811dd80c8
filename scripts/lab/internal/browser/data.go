package browser

import (
	"errors"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/datasets"
)

// A dataFile is what a page knows of a file that programs may open.
type dataFile struct {
	Title   string `json:"title"` // of its set
	URL     string `json:"url"`
	Licence string `json:"licence"`
	Size    int64  `json:"size"`
	SHA256  string `json:"sha256"`
	// Given is the file itself, if the site brings it along. Else the page asks for it.
	Given *File `json:"given,omitempty"`
}

// data lists the files of the catalogue that no program has in itself. Those of sets that
// notebooks need are given along, where the licence lets anybody do so and the file is on
// this machine.
func (b *builder) data() (map[string]dataFile, error) {
	files := map[string]dataFile{}
	for _, set := range datasets.All() {
		for _, f := range set.Files {
			found, err := f.Find()
			if err == nil && found.From == datasets.FromEmbedded {
				continue
			}
			d := dataFile{Title: set.Title, URL: f.URL, Licence: set.Licence, Size: f.Size, SHA256: f.SHA256}
			switch {
			case !b.needed[set.Name] || !mayBeGiven(set.Licence):
			case errors.Is(err, datasets.ErrNotFound):
				b.say("browser: %s is not on this machine, so pages ask for it; lab data fetch %s gets it", f.Name, set.Name)
			case err != nil:
				return nil, err
			default:
				bytes, err := os.ReadFile(found.Path)
				if err != nil {
					return nil, err
				}
				given, err := b.store().put(set.Name+".txt", bytes)
				if err != nil {
					return nil, err
				}
				d.Given = &given
			}
			files[f.Name] = d
		}
	}
	return files, nil
}

// mayBeGiven reports whether a licence permits redistribution with attribution, which the
// pages of data sets give: CC BY, CC BY-SA or MIT. Where parts of a file have different
// licences, separated by semicolons, each has to permit it.
func mayBeGiven(licence string) bool {
	for part := range strings.SplitSeq(licence, ";") {
		if !strings.Contains(part, "CC BY ") && !strings.Contains(part, "CC BY-SA ") && !strings.HasPrefix(strings.TrimSpace(part), "MIT") {
			return false
		}
	}
	return true
}

// given are the data files that the site brings along.
func (m *manifest) given() (list []File) {
	for _, name := range slices.Sorted(maps.Keys(m.Data)) {
		if g := m.Data[name].Given; g != nil {
			list = append(list, *g)
		}
	}
	return list
}
