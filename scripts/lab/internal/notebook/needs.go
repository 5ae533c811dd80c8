package notebook

import (
	"fmt"
	"strconv"
)

// Needs are what a notebook says in its metadata that it cannot do without, to which
// edition of the pattern it was written, how long a student takes, and which notebooks it
// builds on:
// "mllabs": {"peers": true, "edition": 1, "minutes": 120, "after": ["lab3/01_nearest_neighbours"]}.
type Needs struct {
	Peers   bool     // Python with scikit-learn
	Edition int      // 2 where nothing is said
	Minutes int      // 0 where nothing is said
	After   []string // names of notebooks
}

// Needs reads the notebook's needs.
func (nb *Notebook) Needs() Needs {
	n, _ := nb.needs() // Parse has looked at them
	return n
}

func (nb *Notebook) needs() (Needs, error) {
	n := Needs{Edition: 2}
	value, ok := nb.Metadata["mllabs"]
	if !ok {
		return n, nil
	}
	meta, ok := value.(map[string]any)
	if !ok {
		return n, fmt.Errorf("metadata mllabs is %s; it holds \"peers\", \"edition\", \"minutes\" and \"after\"", shown(value))
	}
	if value, ok := meta["after"]; ok {
		entries, ok := value.([]any)
		for _, e := range entries {
			name, isName := e.(string)
			n.After, ok = append(n.After, name), ok && isName
		}
		if !ok {
			return Needs{}, fmt.Errorf("metadata mllabs.after is %s; it is a list of names, such as [\"lab3/01_nearest_neighbours\"]", shown(value))
		}
	}
	if value, ok := meta["minutes"]; ok {
		minutes, err := strconv.Atoi(fmt.Sprint(value))
		if err != nil || minutes < 1 {
			return Needs{}, fmt.Errorf("metadata mllabs.minutes is %s; it is a whole number of at least 1", shown(value))
		}
		n.Minutes = minutes
	}
	if value, ok := meta["peers"]; ok {
		if n.Peers, ok = value.(bool); !ok {
			return Needs{}, fmt.Errorf("metadata mllabs.peers is %s; it is true or false", shown(value))
		}
	}
	if value, ok := meta["edition"]; ok {
		switch fmt.Sprint(value) {
		case "1":
			n.Edition = 1
		case "2":
		default:
			return Needs{}, fmt.Errorf("metadata mllabs.edition is %s; it is 1 or 2", shown(value))
		}
	}
	return n, nil
}

func shown(v any) string {
	b, err := encode(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return clip(string(b))
}
