package given

// Flat is how far apart, as a share of their size, numbers may be that would be equal but for
// rounding: what sums of some hundred terms differ by.
const Flat = 1e-13

// Constant reports whether a column whose numbers lie between least and most is constant but
// for rounding. It is the one rule of the library: what is constant to a scaler is constant to
// a tree.
func Constant(least, most float64) bool {
	return Rounding(most-least, max(-least, most))
}

// Rounding reports whether numbers of at most a size that spread so far do so by rounding.
// Those that differ by 1 do not, because whole numbers, such as identifiers and times in
// nanoseconds, are exact however large they are.
func Rounding(spread, size float64) bool {
	return spread <= float64(Flat*size) && spread < 1
}
