//go:build !handout && !light

package command

import (
	"encoding/json"
	"sync"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/journal"
)

// verdicts are those of a class, kept on disk: a [grade.Store].
type verdicts struct {
	mu      sync.Mutex
	journal *journal.Journal
	known   map[string][]byte
	broken  error // why no more could be kept
	note    string
}

// A keptVerdict is an entry of the journal.
type keptVerdict struct {
	Key     string `json:"key"`
	Verdict []byte `json:"verdict"`
}

// verdictsVersion changes with what an entry is. What a verdict depends on is in its key.
const verdictsVersion = "verdicts 1"

// openVerdicts opens the journal at path, or begins it.
func openVerdicts(path string) (*verdicts, error) {
	j, entries, note, err := journal.Open(path, verdictsVersion)
	if err != nil {
		return nil, err
	}
	v := &verdicts{journal: j, known: map[string][]byte{}, note: note}
	for _, raw := range entries {
		var k keptVerdict
		if json.Unmarshal(raw, &k) == nil {
			v.known[k.Key] = k.Verdict
		}
	}
	return v, nil
}

// Get returns the verdict of a key.
func (v *verdicts) Get(key string) ([]byte, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	b, ok := v.known[key]
	return b, ok
}

// Put keeps a verdict. A disk that is full costs the memory of later runs, not this one.
func (v *verdicts) Put(key string, verdict []byte) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.known[key] = verdict
	if v.broken == nil {
		v.broken = v.journal.Add(keptVerdict{key, verdict})
	}
}

func (v *verdicts) close() error { return v.journal.Close() }
