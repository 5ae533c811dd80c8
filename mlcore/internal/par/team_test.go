package par

import (
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

func TestTeamVisitsEachOnce(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	for _, size := range []int{1, 2, 3, 8} {
		team := NewTeam(size)
		if team.Size() != size {
			t.Errorf("a team of %d has %d members", size, team.Size())
		}
		for n := range 300 {
			if n%97 == 0 {
				time.Sleep(2 * time.Millisecond) // long enough for helpers to park
			}
			visits := make([]atomic.Int32, n)
			busy := make([]atomic.Int32, size)
			team.Do(n, func(member, i int) {
				if busy[member].Add(1) != 1 {
					t.Errorf("member %d does two things at a time", member)
				}
				visits[i].Add(1)
				busy[member].Add(-1)
			})
			for i := range visits {
				if got := visits[i].Load(); got != 1 {
					t.Fatalf("team of %d: piece %d of %d done %d times", size, i, n, got)
				}
			}
		}
		team.Close()
	}
	team := NewTeam(100)
	defer team.Close()
	if team.Size() != 8 {
		t.Errorf("%d members on 8 processors", team.Size())
	}
}

// Members that sleep are woken for work, and end with the team.
func TestParkedMembers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	before := runtime.NumGoroutine()
	team := NewTeam(4)
	parked := func() bool {
		for _, h := range team.helpers {
			if !h.parked.Load() {
				return false
			}
		}
		return true
	}
	// What never comes is ended by go test, whose limit of time is the only one.
	wait := func(done func() bool) {
		for !done() {
			time.Sleep(time.Millisecond)
		}
	}
	for range 3 {
		wait(parked)
		var at atomic.Int32
		team.Do(4, func(_, _ int) {
			at.Add(1)
			wait(func() bool { return at.Load() == 4 }) // each piece has a member
		})
	}
	wait(parked)
	team.Close()
	wait(func() bool { return runtime.NumGoroutine() <= before }) // no member is left
}

// Members whom no job concerns park, however many jobs there are of others.
func TestMembersWithoutPieces(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	team := NewTeam(4)
	defer team.Close()
	// Members 2 and 3 that look for work in jobs of two pieces do so for ever.
	for !team.helpers[1].parked.Load() || !team.helpers[2].parked.Load() {
		team.Do(2, func(_, _ int) {})
	}
	done := make([]bool, 400)
	team.Do(len(done), func(_, i int) { done[i] = true })
	if slices.Contains(done, false) {
		t.Error("not all is done once they are concerned again")
	}
}

// Do waits for pieces that take long, also where their members have done others before.
func TestSlowPieces(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for _, size := range []int{2, 4} {
		team := NewTeam(size)
		for _, n := range []int{2, 5, 9, 16} {
			for slow := range n {
				done := make([]bool, n)
				team.Do(n, func(_, i int) {
					if i == slow {
						time.Sleep(2 * time.Millisecond)
					}
					done[i] = true
				})
				if slices.Contains(done, false) {
					t.Fatalf("%d members, %d pieces, the slow one is %d: done %v", size, n, slow, done)
				}
			}
		}
		team.Close()
	}
}

func TestNoTeam(t *testing.T) {
	var team *Team
	sum := 0
	team.Chunks(10, 4, func(c, lo, hi int) { sum += 100*c + hi - lo })
	if team.Size() != 1 || sum != 310 {
		t.Errorf("%d members, sum %d", team.Size(), sum)
	}
	team.Close()
}

func BenchmarkTeam(b *testing.B) {
	team := NewTeam(2)
	defer team.Close()
	for b.Loop() {
		team.Do(2, func(_, _ int) {})
	}
}

func BenchmarkDo(b *testing.B) {
	for b.Loop() {
		_ = Do(2, 2, func(int) error { return nil })
	}
}
