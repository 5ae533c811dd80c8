package uci

import (
	"fmt"
	"strings"
)

// SkipControl is the control of the skipped attribute: on each of the given sets, naive Bayes
// is run without each attribute in turn, with shuffled rows, and it is counted for how many
// the report's mean is near. If all sets could have lost any attribute, the product of the
// shares is the probability that the last one is near on all of them by chance.
func SkipControl(sets ...Set) (table [][]string, chance float64, err error) {
	table, chance = [][]string{{"set", "attributes", "near without", "the last is", "share"}}, 1
	for _, s := range sets {
		a, err := AlternativesOf(s, NaiveBayes)
		if err != nil {
			return nil, 0, err
		}
		said, _ := Published(s, NaiveBayes)
		var near []string
		all, last := 0, ""
		for _, x := range a.List {
			name, one := strings.CutPrefix(x.Reading, "without ")
			if !one || strings.Contains(name, ",") { // all attributes, file order, other intervals
				continue
			}
			all, last = all+1, name
			if x.Near(said.Mean) {
				near = append(near, name)
			}
		}
		chance *= float64(len(near)) / float64(all)
		table = append(table, []string{s.Name(), fmt.Sprint(all), strings.Join(near, ", "), last, fmt.Sprintf("%d of %d", len(near), all)})
	}
	return table, chance, nil
}
