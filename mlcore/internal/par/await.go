package par

import "runtime"

// looks is how often [await] looks in one round, which takes 10 to 20 microseconds.
const looks = 500

// await looks for what another processor is about to do, and reports whether it is done
// within so many rounds. Between two rounds other goroutines get their turn. It asks the
// scheduler no oftener: all processors wait for its lock, those that work among them.
func await(rounds int, done func() bool) bool {
	for range rounds {
		for range looks {
			if done() {
				return true
			}
			pause()
		}
		runtime.Gosched()
	}
	return false
}
