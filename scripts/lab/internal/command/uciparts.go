//go:build !handout && !light

package command

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/notebooks/uci"
)

// A uciPart is the file of one part of the experiment.
type uciPart struct {
	uciSettings
	Shard string     `json:"shard"`
	Done  []uci.Fold `json:"done"`
}

// uciSettings are what the parts of one experiment have in common.
type uciSettings struct {
	Folds   int    `json:"folds"`
	Repeats int    `json:"repeats"`
	Seed    uint64 `json:"seed"`
	Only    string `json:"only,omitempty"`
	// Key is that of the journal: it stands for the settings and the program.
	Key string `json:"key"`
}

func (x *experiment) header(key string) uciPart {
	return uciPart{uciSettings{x.Folds, x.Repeats, x.Seed, x.only, key}, x.shard, nil}
}

func (x *experiment) checkMerge(args []string) error {
	if len(args) == 0 {
		return usagef("--merge: name the files that --shard wrote")
	}
	for _, name := range x.given {
		if !slices.Contains([]string{"merge", "json", "markdown"}, name) {
			return usagef("--merge takes the settings from the parts; leave --%s out", name)
		}
	}
	return x.checkFiles()
}

// mergeParts reads the files of all parts.
func (x *experiment) mergeParts(files []string) (*uci.Result, error) {
	var common uciSettings
	var done []uci.Fold
	for i, name := range files {
		p, err := readUCIPart(name)
		switch {
		case err != nil:
			return nil, err
		case i == 0:
			common = p.uciSettings
		case p.Key != common.Key:
			return nil, fmt.Errorf("%s and %s were made with different settings or by different versions of this program; make one of them again", files[0], name)
		case p.uciSettings != common:
			return nil, fmt.Errorf("%s says other settings than %s", name, files[0])
		}
		done = append(done, p.Done...)
	}
	x.Folds, x.Repeats, x.Seed, x.only = common.Folds, common.Repeats, common.Seed, common.Only
	if x.Folds < 2 || x.Folds > maxFolds || x.Repeats < 1 || x.Repeats > maxRepeats {
		return nil, fmt.Errorf("%s: %d folds, %d repeats; nothing that --shard would have written", files[0], x.Folds, x.Repeats)
	}
	var err error
	if x.Only, err = parseOnly(x.only); err != nil {
		return nil, fmt.Errorf("%s: %w", files[0], err)
	}
	r, err := x.Merge(done)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(files, ", "), err)
	}
	if x.json != "" {
		if err := writeJSON(filepath.Clean(x.json), r); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// mostPart is the size of the largest file that is read. The largest experiment that the
// flags allow has a quarter of that.
const mostPart = 1 << 30

func readUCIPart(name string) (uciPart, error) {
	var p uciPart
	info, err := os.Stat(name)
	if err != nil {
		return p, err
	}
	if !info.Mode().IsRegular() || info.Size() > mostPart {
		return p, fmt.Errorf("%s is not what --shard writes", name)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return p, err
	}
	if err := json.Unmarshal(data, &p); err != nil || p.Key == "" {
		return p, fmt.Errorf("%s is not what --shard writes (%v)", name, err)
	}
	return p, nil
}
