package par

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// A Team is goroutines that stay ready between short pieces of work: starting one, or
// waking its thread, takes as long as some thousand additions. A Team is used by one
// goroutine, which works along, and has to be closed. A nil Team is that goroutine
// alone.
type Team struct {
	helpers []*helper
	job     atomic.Pointer[job]
	closed  atomic.Bool
}

type helper struct {
	parked atomic.Bool
	wake   chan struct{}
}

// A job is pieces of work, of which each member of the team has a run of its own, and
// takes from those of the others when that is done. So a piece of the same number is
// mostly done by the same processor, which has its data near.
type job struct {
	f       func(member, i int)
	next    []place
	left    atomic.Int64
	waiting atomic.Bool
	done    chan struct{}

	broken atomic.Bool // a piece has panicked; those that have not begun are left out
	fault  sync.Mutex
	lowest int // the lowest piece that has panicked, and its panic
	err    error
}

// A place is the next piece of a run, on a cache line of its own.
type place struct {
	next atomic.Int64
	end  int64
	_    [48]byte
}

// readiness is how often (see [await]) an idle member looks for work before it parks, which
// takes 100 to 150 microseconds of a Xeon: longer than waking its thread takes, so that few
// park while the caller does short work of its own between two jobs.
const readiness = 1 << 12

// NewTeam returns a team of the given number of members (0: one per processor),
// including the caller, but of no more than there are processors, since the members
// would wait for each other.
func NewTeam(workers int) *Team {
	t := &Team{}
	for k := range min(Workers(workers), runtime.GOMAXPROCS(0)) - 1 {
		h := &helper{wake: make(chan struct{}, 1)}
		t.helpers = append(t.helpers, h)
		go t.help(h, k+1)
	}
	return t
}

// Size is the number of members.
func (t *Team) Size() int {
	if t == nil {
		return 1
	}
	return 1 + len(t.helpers)
}

// Close ends the goroutines.
func (t *Team) Close() {
	if t == nil {
		return
	}
	t.closed.Store(true)
	t.call(len(t.helpers))
}

// Do calls f for i in [0, n), with the number of the member that does it, from 0 to
// Size()-1. A panic of f, on whichever goroutine, is one of Do.
func (t *Team) Do(n int, f func(member, i int)) {
	if t == nil || len(t.helpers) == 0 || n < 2 {
		for i := range n {
			f(0, i)
		}
		return
	}
	members := min(t.Size(), n)
	j := &job{f: f, next: make([]place, members), done: make(chan struct{}, 1)}
	for k := range j.next {
		j.next[k].next.Store(int64(k * n / members))
		j.next[k].end = int64((k + 1) * n / members)
	}
	j.left.Store(int64(n))
	t.job.Store(j)
	t.call(members - 1)
	j.work(0)
	j.wait()
	Sure(j.err)
}

func (j *job) wait() {
	if await(readiness, func() bool { return j.left.Load() == 0 }) {
		return
	}
	if j.waiting.Store(true); j.left.Load() > 0 {
		<-j.done
	}
}

// Chunks splits [0, n) into runs of at most size, of which run c is from lo to hi-1, and
// calls f for each.
func (t *Team) Chunks(n, size int, f func(c, lo, hi int)) {
	t.Do((n+size-1)/size, func(_, c int) { f(c, c*size, min((c+1)*size, n)) })
}

// call wakes those of the first n that have parked.
func (t *Team) call(n int) {
	for _, h := range t.helpers[:n] {
		if h.parked.Load() && h.parked.Swap(false) {
			h.wake <- struct{}{}
		}
	}
}

func (j *job) work(member int) {
	for !j.pieces(member) {
	}
}

// has reports whether a member has a run of the job. Of fewer pieces than members each
// belongs to one of the first, and the others leave them alone.
func (j *job) has(member int) bool { return member < len(j.next) }

// pieces does what is left, until a piece panics; then the answer is false.
func (j *job) pieces(member int) (ended bool) {
	at, did := 0, 0 // the latest piece, and how many are done of which the count has not been told
	defer func() {
		if !ended {
			j.fail(at, asError(recover()))
			did++
		}
		j.finish(did)
	}()
	for k := range j.next {
		run := &j.next[(member+k)%len(j.next)]
		for run.next.Load() < run.end { // which asks for no cache line that others write to
			i := run.next.Add(1) - 1
			if i >= run.end {
				break
			}
			if at = int(i); !j.broken.Load() {
				j.f(member, at)
			}
			did++
		}
		// All members write to the count, so they do it once for a run, and not for each
		// piece. What the count has been told of must not be told again, below.
		j.finish(did)
		did = 0
	}
	return true
}

// finish counts pieces.
func (j *job) finish(did int) {
	if did > 0 && j.left.Add(-int64(did)) == 0 && j.waiting.Load() {
		j.done <- struct{}{}
	}
}

func (j *job) fail(i int, err error) {
	j.broken.Store(true)
	j.fault.Lock()
	defer j.fault.Unlock()
	if j.err == nil || i < j.lowest {
		j.lowest, j.err = i, err
	}
}

// help is the life of a helper. A job that has no run for it does not concern it: while there
// are only such jobs it parks, and its processor is free for others.
func (t *Team) help(h *helper, member int) {
	var last *job
	called := func() bool {
		j := t.job.Load()
		return j != last && j.has(member) || t.closed.Load()
	}
	for !t.closed.Load() {
		if j := t.job.Load(); j != last && j.has(member) {
			j.work(member)
			last = j
			continue
		}
		if await(readiness, called) {
			continue
		}
		h.parked.Store(true)
		if called() && h.parked.Swap(false) {
			continue
		}
		<-h.wake
	}
}
