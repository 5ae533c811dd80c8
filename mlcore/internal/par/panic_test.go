package par

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
)

// A panic of a piece, whichever goroutine runs it, is the error of the lowest such
// piece, with the place of the panic; of ours in a goroutine it would end the program.
func TestPanicsBecomeErrors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	piece := func(i int) {
		if i >= 11 {
			burst(i)
		}
	}
	for _, workers := range []int{1, 2, 7} {
		for name, run := range map[string]func() error{
			"Do": func() error {
				return Do(64, workers, func(i int) error { piece(i); return nil })
			},
			"DoWith's scratch": func() error {
				return DoWith(64, workers, func() int { burst(11); return 0 }, func(int, int) error { return nil })
			},
			"Chunks": func() error {
				return Chunks(64, 1, workers, func(lo, hi int) error { piece(lo); return nil })
			},
			"Team": func() (err error) {
				defer Recover(&err)
				team := NewTeam(workers)
				defer team.Close()
				team.Do(64, func(_, i int) { piece(i) })
				return nil
			},
			"Sure": func() (err error) {
				defer Recover(&err)
				Sure(Do(64, workers, func(i int) error { piece(i); return nil }))
				return nil
			},
			"two deep": func() error {
				return Do(3, workers, func(int) error {
					return Do(64, workers, func(i int) error { piece(i); return nil })
				})
			},
		} {
			err := run()
			if !errors.Is(err, ErrPanic) || !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%s with %d workers: %v", name, workers, err)
				continue
			}
			if name != "Team" && !strings.Contains(err.Error(), "piece 11:") {
				t.Errorf("%s with %d workers: %s, want that of piece 11", name, workers, strings.Split(err.Error(), "\n")[0])
			}
			if !strings.Contains(err.Error(), "par.burst") {
				t.Errorf("%s with %d workers: the error does not tell where:\n%v", name, workers, err)
			}
		}
	}
}

//go:noinline
func burst(i int) { panic(&pieceError{i}) }

type pieceError struct{ piece int }

func (e *pieceError) Error() string {
	return "piece " + string(rune('0'+e.piece/10)) + string(rune('0'+e.piece%10)) + ": broken"
}
func (e *pieceError) Unwrap() error { return io.ErrUnexpectedEOF }

// A team that has seen a panic works on.
func TestTeamOutlivesPanics(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	team := NewTeam(4)
	defer team.Close()
	for range 200 {
		func() {
			defer func() { recover() }()
			team.Do(16, func(_, i int) {
				if i%3 == 1 {
					panic(i)
				}
			})
			t.Error("no panic came through")
		}()
		sums := make([]int, 16)
		team.Do(16, func(_, i int) { sums[i] = i })
		for i, s := range sums {
			if s != i {
				t.Fatalf("piece %d was not done after a panic", i)
			}
		}
	}
}

// A function that ends its goroutine, as t.FailNow does, has not done its piece.
func TestGoexitIsNoSuccess(t *testing.T) {
	for range 50 {
		done := make(chan error, 2)
		go func() {
			defer func() { done <- errors.New("the caller's goroutine ended with it") }()
			done <- Do(8, 4, func(i int) error {
				if i == 5 {
					runtime.Goexit()
				}
				return nil
			})
		}()
		if err := <-done; err == nil {
			t.Fatal("a piece that was never done is told as done")
		}
	}
}
