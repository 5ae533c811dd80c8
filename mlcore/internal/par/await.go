package par

// await looks so many times for what another processor is about to do, and reports whether it
// is done. Between two looks it waits a moment but lets no other goroutine run: to ask the
// scheduler means to wait for its lock, and then those that have work wait for it, too. When it
// was asked every four microseconds, a boosting of 100,000 rows, whose pieces are short, took a
// fifth longer on 16 processors. Whoever waits sleeps after so many looks, and leaves the
// processor to others.
func await(looks int, done func() bool) bool {
	for range looks {
		if done() {
			return true
		}
		pause()
	}
	return false
}
