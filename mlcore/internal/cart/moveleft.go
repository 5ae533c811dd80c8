package cart

// moveLeftPlain moves the rows with codes up to last to the front and returns how many
// they are. Every row is written whichever way it goes, so that there is no branch to
// mispredict.
func moveLeftPlain(rows []item, codes []uint8, last uint8) int {
	k, bound := 0, int32(last)+1
	for i, it := range rows {
		below := (int32(codes[it.place()]) - bound) >> 31
		rows[i], rows[k] = rows[k], it
		k -= int(below)
	}
	return k
}

// countLeftPlain is moveLeftPlain that adds the weights of the rows that go left to
// left, by class.
func countLeftPlain(rows []item, codes []uint8, last uint8, left *[countedClasses]int32) int {
	k, bound := 0, int32(last)+1
	for i, it := range rows {
		below := (int32(codes[it.place()]) - bound) >> 31
		left[it.class()] += it.copies() & below
		rows[i], rows[k] = rows[k], it
		k -= int(below)
	}
	return k
}
