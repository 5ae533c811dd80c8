package notebook

// Needs are what a notebook says in its metadata that it cannot do without:
// "mllabs": {"data": ["letter"], "peers": true}.
type Needs struct {
	Data  []string // names in the catalogue of package datasets
	Peers bool     // Python with scikit-learn
}

// Needs reads the notebook's needs.
func (nb *Notebook) Needs() Needs {
	meta, _ := nb.Metadata["mllabs"].(map[string]any)
	var n Needs
	list, _ := meta["data"].([]any)
	for _, d := range list {
		if s, ok := d.(string); ok {
			n.Data = append(n.Data, s)
		}
	}
	n.Peers, _ = meta["peers"].(bool)
	return n
}
