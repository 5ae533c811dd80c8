package bench

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
)

// A manifest tells the peer's script what to do and where its data are. Arrays
// are little-endian, row by row: float64 for X and targets t, int64 for labels y.
type manifest struct {
	Key     string           `json:"key"`
	Library string           `json:"library,omitempty"` // "intelex": Intel's extension in scikit-learn's place
	Threads int              `json:"threads"`
	Trees   int              `json:"trees,omitempty"` // trees or rounds, where they are not the key's own number
	Arrays  map[string][]int `json:"arrays"`          // file name to shape
	Files   []string         `json:"files"`           // data files, for the work that loads them
	// Levels holds for each column its number of categories, 0 where it is numeric.
	Levels []int    `json:"levels,omitempty"`
	UCI    []uciSet `json:"uci,omitempty"`
	// Estimator is the class of scikit-learn's that the key does its work with, and
	// Settings its keyword arguments.
	Estimator string   `json:"estimator,omitempty"`
	Settings  settings `json:"settings,omitempty"`
}

// export writes what the peer needs into a folder and returns the manifest's
// path.
func (w Workload) export(dir string) (string, error) {
	m := manifest{Key: w.Key, Library: w.library, Threads: w.processors(), Trees: w.trees, Arrays: map[string][]int{}, Estimator: w.estimator, Settings: w.settings}
	found, err := w.find()
	if err != nil {
		return "", err
	}
	for _, l := range found {
		m.Files = append(m.Files, l.Path)
	}
	if w.data != nil {
		train, test, err := w.data()
		if err != nil {
			return "", err
		}
		m.Levels = train.Levels()
		for part, ds := range map[string]*mlcore.Dataset{"train": train, "test": test} {
			n, d := ds.X.Dims()
			m.Arrays[part+"_X"] = []int{n, d}
			if err := writeArray(filepath.Join(dir, part+"_X"), ds.X.RawMatrix().Data); err != nil {
				return "", err
			}
			name, values := part+"_y", any(int64s(ds.Y))
			if ds.Target != nil {
				name, values = part+"_t", ds.Target
			}
			m.Arrays[name] = []int{n}
			if err := writeArray(filepath.Join(dir, name), values); err != nil {
				return "", err
			}
		}
	}
	if w.share != nil {
		if err := w.share(&m, dir); err != nil {
			return "", err
		}
	}
	data, err := json.Marshal(m)
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "manifest.json")
	return path, os.WriteFile(path, data, 0o644)
}

// find locates the files of the sets that the workload reads itself.
func (w Workload) find() ([]datasets.Location, error) {
	var all []datasets.Location
	for _, name := range w.files {
		found, err := datasets.Find(name)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

func int64s(v []int) []int64 {
	w := make([]int64, len(v))
	for i, x := range v {
		w[i] = int64(x)
	}
	return w
}

func writeArray(path string, values any) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	b := bufio.NewWriterSize(f, 1<<20)
	if err := binary.Write(b, binary.LittleEndian, values); err != nil {
		f.Close()
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := b.Flush(); err != nil {
		f.Close()
		return fmt.Errorf("%s: %w", path, err)
	}
	return f.Close()
}
