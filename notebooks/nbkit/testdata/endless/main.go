// Command endless checks a function that never ends, as its argument says.
package main

import (
	"os"
	"time"

	"github.com/mllabs-go/mllabs/notebooks/nbkit"
)

// Calls has no case in which it does not call itself.
func Calls(n int) int {
	if n == 1 {
		return 1
	}
	return n * Calls(n+1)
}

// Appends goes on after the last number.
func Appends(n int) (all []int) {
	for len(all) != n {
		all = append(all, 1, 1)
	}
	return all
}

var waits = make(chan bool)

// AppendsLate begins when the check has given it up, and another waits.
func AppendsLate() any {
	<-waits
	return Appends(1)
}

// Waits takes no memory.
func Waits() any {
	close(waits)
	select {}
}

// slowly lets a case take as long as it does on a machine that others use as well.
func slowly(c nbkit.Case) nbkit.Case {
	c.Limit = time.Hour
	return c
}

func main() {
	calls := func() {
		nbkit.Check("Calls", nbkit.Call("one", 1, Calls, 1), slowly(nbkit.Call("two", 2, Calls, 2).WithHint("1 is the end")), nbkit.Call("again", 1, Calls, 1), nbkit.Call("once more", 1, Calls, 1))
	}
	appends := func() {
		nbkit.Check("Appends", nbkit.Call("even", []int{1, 1}, Appends, 2), slowly(nbkit.Call("odd", []int{1, 1, 1}, Appends, 3)))
	}
	switch os.Args[1] {
	case "calls":
		calls()
	case "appends":
		appends()
	case "late":
		nbkit.Check("Late", nbkit.Case{Name: "appends", Got: AppendsLate, Limit: 100 * time.Millisecond})
		nbkit.Check("Late", nbkit.Case{Name: "waits", Got: Waits, Want: 1, Limit: time.Hour})
	default:
		nbkit.CheckAll(nbkit.Exercise{Title: "Calls", Points: 4, Check: calls}, nbkit.Exercise{Title: "Appends", Points: 2, Check: appends})
	}
}
