package given

import "math"

// far is how many times farther from 0 than from each other the numbers of a column are
// before it counts as far from 0.
const far = 0x1p10

// Origin returns a place amid rows of d numbers, one after the other, that are far from
// 0: the middle of each column that is, 0 for the others. It is nil where no column is.
// What does not depend on where 0 is keeps its digits around there. A constant column is
// held to how far apart the numbers of the widest column are.
func Origin(data []float64, d int) []float64 {
	middle, half := make([]float64, d), make([]float64, d)
	widest := 0.0
	for j := range d {
		least, most := data[j], data[j]
		for at := j; at < len(data); at += d {
			least, most = min(least, data[at]), max(most, data[at])
		}
		middle[j], half[j] = float64(least/2)+float64(most/2), float64(most/2)-float64(least/2)
		widest = max(widest, half[j])
	}
	away := false
	for j, v := range half {
		if v == 0 {
			v = widest
		}
		if math.Abs(middle[j])/far > v {
			away = true
		} else {
			middle[j] = 0
		}
	}
	if !away {
		return nil
	}
	return middle
}
