package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mllabs-go/mllabs/notebooks/peers"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/scratch"
)

// Options say how a workload is measured.
type Options struct {
	// Self is the command of our side's worker, to which the workload's name is
	// added.
	Self []string
	// Plain is the same command of a program without assembly, nil for none.
	Plain []string
	// Python is the interpreter of the peers, "" for none.
	Python string
	// Runs is how many counted runs each side does, 5 if 0.
	Runs int
	// Threads is how many processors each side may use; 0 means as many as the workload
	// says, which are two for the rows of [Workloads]. [Work] has to be asked for the same.
	Threads int
	// OneThread gives each side one thread, whatever Threads says, and takes the
	// processor's time for the clock's, so that a machine that does other work too is no
	// matter. The bar and the aim are then those of a library without assembly.
	OneThread bool
	// Purego says that Self was built without assembly, for the table to tell.
	Purego bool
}

func (o Options) threads() int {
	if o.OneThread {
		return 1
	}
	return o.Threads
}

// A Result is what one workload took on both sides. Times are medians in
// seconds; the peer's fields are 0 where there was no peer.
type Result struct {
	Workload    string  `json:"workload"`
	Peer        string  `json:"peer"`
	Runs        int     `json:"runs"`
	Seconds     float64 `json:"seconds"`
	PeerSeconds float64 `json:"peer_seconds,omitempty"`
	Ratio       float64 `json:"ratio,omitempty"`
	// Plain is what our side took without assembly, 0 where that was not measured.
	Plain     float64           `json:"plain_seconds,omitempty"`
	Bar       float64           `json:"bar"`
	Aim       float64           `json:"aim"`
	Score     float64           `json:"score"`
	PeerScore float64           `json:"peer_score,omitempty"`
	PeakBytes int64             `json:"peak_bytes"`
	PeerPeak  int64             `json:"peer_peak_bytes,omitempty"`
	Versions  map[string]string `json:"versions,omitempty"`
}

// Measure runs a workload on both sides. Without a peer the error wraps
// [peers.ErrUnavailable] and the result holds our side alone.
func Measure(ctx context.Context, w Workload, o Options) (Result, error) {
	if o.Runs == 0 {
		o.Runs = 5
	}
	if w = w.on(o.threads()); o.OneThread {
		w.Bar, w.Aim = 1, 2
	}
	r := Result{Workload: w.Name, Peer: w.Peer, Bar: w.Bar, Aim: w.Aim, Versions: map[string]string{}}
	ours, err := start(ctx, o.Self[0], append(slices.Clone(o.Self[1:]), w.Name)...)
	if err != nil {
		return r, err
	}
	defer ours.kill()
	var plain *side
	if o.Plain != nil && !w.BesideIntel() { // of such a row there is another, with the same work
		if plain, err = start(ctx, o.Plain[0], append(slices.Clone(o.Plain[1:]), w.Name)...); err != nil {
			return r, err
		}
		defer plain.kill()
	}
	theirs, unavailable := w.startPeer(ctx, o.Python)
	if unavailable != nil && !errors.Is(unavailable, peers.ErrUnavailable) {
		return r, unavailable
	}
	if theirs != nil {
		defer theirs.close()
	}
	var mine, without, other []float64
	warmUp, runs := 1, o.Runs
	if w.most > 0 {
		runs = min(runs, w.most)
	}
	if w.once {
		warmUp, runs = 0, 1
		// No run goes before the one that counts, so none must begin while the other
		// side is still reading its data.
		if err := ours.ready(); err != nil {
			return r, fmt.Errorf("%s: our side: %w", w.Name, err)
		}
		if plain != nil {
			if err := plain.ready(); err != nil {
				return r, fmt.Errorf("%s: without assembly: %w", w.Name, err)
			}
		}
		if theirs != nil {
			switch err := theirs.ready(); {
			case errors.Is(err, peers.ErrUnavailable):
				unavailable, theirs = err, nil
			case err != nil:
				return r, fmt.Errorf("%s: %s: %w", w.Name, w.Peer, err)
			}
		}
	}
	r.Runs = runs
	for run := range warmUp + runs {
		time.Sleep(settle)
		t, err := ours.turn()
		if err != nil {
			return r, fmt.Errorf("%s: our side: %w", w.Name, err)
		}
		r.Score = t.Score
		if run >= warmUp {
			mine = append(mine, t.taken(o.OneThread))
		}
		if plain != nil {
			time.Sleep(settle)
			t, err := plain.turn()
			switch {
			case err != nil:
				return r, fmt.Errorf("%s: without assembly: %w", w.Name, err)
			case t.Score != r.Score:
				return r, fmt.Errorf("%s: the score is %v with assembly and %v without: they have to be the same to the last bit", w.Name, r.Score, t.Score)
			case run >= warmUp:
				without = append(without, t.taken(o.OneThread))
			}
		}
		if theirs == nil {
			continue
		}
		time.Sleep(settle)
		p, err := theirs.turn()
		switch {
		case errors.Is(err, peers.ErrUnavailable):
			unavailable, theirs = err, nil
			continue
		case err != nil:
			return r, fmt.Errorf("%s: %s: %w", w.Name, w.Peer, err)
		}
		r.PeerScore = p.Score
		if run >= warmUp {
			other = append(other, p.taken(o.OneThread))
		}
	}
	if err := r.finish(ours, &r.PeakBytes); err != nil {
		return r, fmt.Errorf("%s: our side: %w", w.Name, err)
	}
	r.Seconds = median(mine)
	if plain != nil {
		r.Plain = median(without)
		if _, err := plain.finish(); err != nil {
			return r, fmt.Errorf("%s: without assembly: %w", w.Name, err)
		}
	}
	if theirs != nil {
		if err := r.finish(theirs.side, &r.PeerPeak); err != nil {
			return r, fmt.Errorf("%s: %s: %w", w.Name, w.Peer, err)
		}
		r.PeerSeconds = median(other)
		r.Ratio = r.PeerSeconds / r.Seconds
	}
	return r, unavailable
}

func (r *Result) finish(s *side, peak *int64) error {
	e, err := s.finish()
	if err != nil {
		return err
	}
	*peak = e.PeakBytes
	for name, version := range e.Versions {
		r.Versions[name] = version
	}
	return nil
}

// settle is how long a side waits for the threads of the other to fall asleep: those of
// OpenBLAS look for work for some 30 milliseconds after the last, on a processor that the
// next turn wants. The pause is the same before either side.
const settle = 100 * time.Millisecond

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	if len(v)%2 == 1 {
		return v[len(v)/2]
	}
	return (v[len(v)/2-1] + v[len(v)/2]) / 2
}

// A peerSide is the peer's process and the folder of its data.
type peerSide struct {
	*side
	folder *scratch.Folder
}

func (p *peerSide) close() {
	p.kill()
	p.folder.Remove()
}

func (w Workload) startPeer(ctx context.Context, python string) (*peerSide, error) {
	if python == "" {
		return nil, peers.ErrUnavailable
	}
	folder, err := scratch.New("bench")
	if err != nil {
		return nil, err
	}
	manifest, err := w.export(folder.Path)
	if err == nil {
		var s *side
		if s, err = start(ctx, python, "-c", peers.BenchScript, manifest); err == nil {
			return &peerSide{s, folder}, nil
		}
	}
	folder.Remove()
	return nil, err
}
