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

// ReadSums reads the file of a checkout; there are none where it is missing. A line that is no
// name with its key, as a merge leaves them, is an error.
func ReadSums(p project.Project) (Sums, error) {
	text, err := os.ReadFile(p.Path(SumsFile))
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	s := Sums{}
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		words := strings.Fields(line)
		if len(words) != 2 || strings.Trim(words[1], "0123456789abcdef") != "" {
			return nil, fmt.Errorf("%s:%d: %q is no notebook with its key; take either side of a conflict, then lab check writes what is right", SumsFile, number, strings.TrimSpace(line))
		}
		s[words[0]] = words[1]
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
