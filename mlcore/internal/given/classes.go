package given

import "slices"

// Strata lists the rows of each class that occurs, ascending, the class that occurs first
// first, and numbers the classes: the largest is 0, and of classes of one size the one that
// occurs first comes first. Random draws go by these numbers and not by class codes, which are
// names, so that other codes for the same classes change nothing.
func Strata(labels []int) (classes [][]int, numbers []int) {
	place := map[int]int{} // 1 + that in classes
	for r, c := range labels {
		if place[c] == 0 {
			classes = append(classes, nil)
			place[c] = len(classes)
		}
		classes[place[c]-1] = append(classes[place[c]-1], r)
	}
	order := make([]int, len(classes))
	for c := range order {
		order[c] = c
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(classes[b]) - len(classes[a]) })
	numbers = make([]int, len(classes))
	for number, c := range order {
		numbers[c] = number
	}
	return classes, numbers
}
