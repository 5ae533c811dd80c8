package histtree

import "github.com/mllabs-go/mllabs/mlcore/internal/par"

// partition puts the rows lo to hi-1 that go left first, each side in order, and
// returns where the others start.
func (g *Grower) partition(lo, hi, column int, left *codeSet) int {
	var goesRight [256]uint8
	for c := range goesRight {
		if !left.has(uint8(c)) {
			goesRight[c] = 1
		}
	}
	codes := g.codes.columns[column]
	rows, lefts, rights := g.rows[lo:hi], g.lefts[lo:hi], g.rights[lo:hi]
	if len(rows) <= chunk {
		middle := sortSides(rows, rights, rows, codes, &goesRight)
		copy(rows[middle:], rights)
		return lo + middle
	}
	before := make([]int, (len(rows)+chunk-1)/chunk+1) // how many of the chunks before go left
	g.team.Chunks(len(rows), chunk, func(c, from, to int) {
		before[c+1] = sortSides(lefts[from:to], rights[from:to], rows[from:to], codes, &goesRight)
	})
	for c := 1; c < len(before); c++ {
		before[c] += before[c-1]
	}
	middle := before[len(before)-1]
	g.team.Chunks(len(rows), chunk, func(c, from, to int) {
		stay := before[c+1] - before[c]
		move(rows[before[c]:], lefts[from:from+stay])
		move(rows[middle+from-before[c]:], rights[from:to-stay])
	})
	return lo + middle
}

// move is copy to where another processor may have been.
func move(dst, src []int32) {
	par.Claim(dst[:len(src)])
	copy(dst, src)
}

// sortSides puts the rows that go left in lefts, of which it returns the number, and the
// others in rights. Both are as long as rows; lefts may be rows itself.
func sortSides(lefts, rights, rows []int32, codes []uint8, goesRight *[256]uint8) int {
	const piece = 512
	l, r := 0, 0
	for len(rows) > 0 {
		n := min(len(rows), piece)
		par.Claim(lefts[l : l+n])
		par.Claim(rights[r : r+n])
		stay := sides(lefts[l:l+n], rights[r:r+n], rows[:n], codes, goesRight)
		l += stay
		r += n - stay
		rows = rows[n:]
	}
	return l
}

// sides is sortSides of a piece.
func sides(lefts, rights, rows []int32, codes []uint8, goesRight *[256]uint8) int {
	lefts, rights = lefts[:len(rows)], rights[:len(rows)]
	l, r := 0, 0
	for _, i := range rows {
		right := int(goesRight[codes[i]])
		// Written to both, for a branch would be guessed wrongly too often.
		lefts[l], rights[r] = i, i
		l += 1 - right
		r += right
	}
	return l
}
