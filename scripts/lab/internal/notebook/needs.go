package notebook

import "fmt"

// Needs are what a notebook says in its metadata that it cannot do without, and to
// which edition of the pattern it was written:
// "mllabs": {"data": ["letter"], "peers": true, "edition": 1}.
type Needs struct {
	Data    []string // names in the catalogue of package datasets
	Peers   bool     // Python with scikit-learn
	Edition int      // 2 where nothing is said
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
		return n, fmt.Errorf("metadata mllabs is %s; it holds \"data\", \"peers\" and \"edition\"", shown(value))
	}
	if value, ok := meta["data"]; ok {
		list, ok := value.([]any)
		for _, d := range list {
			name, isName := d.(string)
			n.Data, ok = append(n.Data, name), ok && isName
		}
		if !ok {
			return Needs{}, fmt.Errorf("metadata mllabs.data is %s; it is a list of names, such as [\"letter\"]", shown(value))
		}
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
