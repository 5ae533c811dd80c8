package nbkit

// Must returns v where err is nil and panics with err otherwise, so that a cell
// can say in one line what it loads or fits; the kernel shows the error with the
// cell's line:
//
//	var iris = nbkit.Must(datasets.Load("iris"))
//
// It is for notebooks; programs should handle the error.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
