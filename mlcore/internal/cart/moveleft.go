package cart

// moveLeft moves the rows with codes up to last to the front, adds their weights
// to left, by class, and returns how many they are. Every row is written whichever
// way it goes, so that there is no branch to mispredict.
func moveLeft(rows []item, codes []uint8, last uint8, left *[countableClasses]int32) int {
	k, bound := 0, int32(last)+1
	for i, it := range rows {
		below := (int32(codes[it.place()]) - bound) >> 31
		left[it.class()] += it.copies() & below
		rows[i], rows[k] = rows[k], it
		k -= int(below)
	}
	return k
}

// moveMarkedPlain moves the rows whose marks have the bit to the front and returns how
// many they are.
func moveMarkedPlain(rows []item, marks []uint8, bit int) int {
	k := 0
	for i, it := range rows {
		rows[i], rows[k] = rows[k], it
		k += int(marks[i] >> bit & 1)
	}
	return k
}
