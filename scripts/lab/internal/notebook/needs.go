package notebook

import "fmt"

// Needs are what a notebook says in its metadata that it cannot do without:
// "mllabs": {"data": ["letter"], "peers": true}.
type Needs struct {
	Data  []string // names in the catalogue of package datasets
	Peers bool     // Python with scikit-learn
}

// Needs reads the notebook's needs.
func (nb *Notebook) Needs() Needs {
	n, _ := nb.needs() // Parse has looked at them
	return n
}

func (nb *Notebook) needs() (Needs, error) {
	var n Needs
	value, ok := nb.Metadata["mllabs"]
	if !ok {
		return n, nil
	}
	meta, ok := value.(map[string]any)
	if !ok {
		return n, fmt.Errorf("metadata mllabs is %s; it holds \"data\" and \"peers\"", shown(value))
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
	return n, nil
}

func shown(v any) string {
	b, err := encode(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return clip(string(b))
}
