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
			name, one := withoutOne(x)
			if !one {
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

// withoutOne is the attribute that a reading of naive Bayes leaves out, and whether it leaves
// one out and nothing else: with shuffled rows, and intervals of the training rows.
func withoutOne(x Alternative) (attribute string, one bool) {
	name, one := strings.CutPrefix(x.Reading, "without ")
	return name, one && !strings.Contains(name, ",")
}

// OrderTable sets the report's naive Bayes on each of the given sets beside ours, which does not
// see the last attribute: with the rows in file order, and shuffled. A standard deviation of
// shuffled rows is that of the first cut, as the report's is of one cut.
func OrderTable(sets ...Set) ([][]string, error) {
	table := [][]string{{"naive Bayes", "the report", "file order", "shuffled"}}
	for _, s := range sets {
		a, err := AlternativesOf(s, NaiveBayes)
		if err != nil {
			return nil, err
		}
		said, _ := Published(s, NaiveBayes)
		last, ours := "", map[string]string{}
		for _, x := range a.List {
			if name, one := withoutOne(x); one {
				last = name
			}
			mean, _ := meanSD(x.Cuts)
			ours[x.Reading] = plusMinus(Outcome{mean, x.SD})
		}
		table = append(table, []string{s.Name(), plusMinus(said), ours["without "+last+", file order"], ours["without "+last]})
	}
	return table, nil
}

func plusMinus(o Outcome) string { return fmt.Sprintf("%.2f ± %.2f", o.Mean, o.SD) }
