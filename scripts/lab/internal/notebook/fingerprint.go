package notebook

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
)

// The key of the fingerprint in the metadata's map mllabs.
const fingerprintKey = "fingerprint"

// fingerprint is a hash of the code cells and their outputs. Markdown may change, and
// cells may get other tags, without a run. The outputs belong to it because Jupyter
// saves those of single cells, run in any order, or none.
func (nb *Notebook) fingerprint() (string, error) {
	h := sha256.New()
	for _, c := range nb.Cells {
		source := strings.TrimRight(strings.ReplaceAll(c.Source, "\r\n", "\n"), "\n")
		if c.Type != "code" || strings.TrimSpace(source) == "" {
			continue
		}
		outputs := make([]*Output, len(c.Outputs))
		for i, o := range c.Outputs {
			uncounted := *o
			uncounted.ExecutionCount = nil // another number is no other output
			outputs[i] = &uncounted
		}
		b, err := json.Marshal([]any{source, outputs})
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%d ", len(b))
		h.Write(b)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil)), nil
}

// ErrNotRun says that a notebook has cells without a run.
var ErrNotRun = errors.New("was not run")

// Stamp notes in the notebook's metadata that its outputs come from its code cells as
// they stand. A notebook with a cell that was never run is an [ErrNotRun].
func (nb *Notebook) Stamp() error {
	for i, c := range nb.Cells {
		if c.Type == "code" && c.ExecutionCount == nil && strings.TrimSpace(c.Source) != "" {
			return fmt.Errorf("cell %d (id %s) %w", i+1, c.ID, ErrNotRun)
		}
	}
	print, err := nb.fingerprint()
	if err != nil {
		return err
	}
	own, _ := nb.Metadata["mllabs"].(map[string]any)
	own = maps.Clone(own)
	if own == nil {
		own = map[string]any{}
	}
	own[fingerprintKey] = print
	if nb.Metadata == nil {
		nb.Metadata = map[string]any{}
	}
	nb.Metadata["mllabs"] = own
	return nil
}

// Stamped says whether the notebook has a fingerprint, and whether it is that of its
// code cells and outputs as they stand.
func (nb *Notebook) Stamped() (has, current bool) {
	own, _ := nb.Metadata["mllabs"].(map[string]any)
	noted, has := own[fingerprintKey].(string)
	if !has {
		return false, false
	}
	print, err := nb.fingerprint()
	return true, err == nil && print == noted
}
