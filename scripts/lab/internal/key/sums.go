package key

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/notebooks/atomicfile"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// SumsFile is the committed file that holds the key of each notebook's committed outputs,
// relative to the root. It is to outputs what go.sum is to modules.
const SumsFile = "notebooks/outputs.sum"

// Sums are the keys with which the committed outputs of notebooks were found right, by the
// notebooks' names.
type Sums map[string]string

// ReadSums reads the file of a checkout; there are none where it is missing.
func ReadSums(p project.Project) (Sums, error) {
	text, err := os.ReadFile(p.Path(SumsFile))
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	s := Sums{}
	for line := range strings.Lines(string(text)) {
		if name, key, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			s[name] = key
		}
	}
	return s, nil
}

// Write writes the file, in alphabetical order.
func (s Sums) Write(p project.Project) error {
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(s)) {
		fmt.Fprintf(&b, "%s %s\n", name, s[name])
	}
	return atomicfile.Write(p.Path(SumsFile), b.Bytes())
}
