package cart

// A sampler draws the features that a node is searched for.
type sampler struct {
	rng   *stream // nil: nothing is drawn, the features follow one another
	feats []int   // allowed features, in the order of the last draw
	want  int     // how many are drawn
	again bool    // whether a feature may be drawn again
	batch []int

	// At the current node.
	drawn int
	fixed uint64 // features < 64 that are known to be constant
}

// reset makes f ready for a tree.
func (f *sampler) reset(cfg Config) {
	f.rng, f.feats = nil, append(f.feats[:0], cfg.Features...)
	if cfg.MaxFeatures > 0 || cfg.drawsThresholds() {
		f.rng = newStream(cfg.Seed)
	}
	f.want, f.again = len(f.feats), cfg.RandomCandidates > 0
	if f.again {
		f.want = cfg.RandomCandidates
	} else if cfg.MaxFeatures > 0 {
		f.want = cfg.MaxFeatures
	}
}

// start begins the draw for a node.
func (f *sampler) start(fixed uint64) { f.drawn, f.fixed = 0, fixed }

// take draws features, at most so many, and returns those that are not known to be
// constant; none: no more are to be drawn. As long as none has been found to vary, more
// are drawn than wanted.
func (f *sampler) take(most int, varies bool) []int {
	f.batch = f.batch[:0]
	if f.rng == nil && most >= len(f.feats) && f.drawn == 0 {
		f.drawn, f.batch = f.want, varying(f.batch, f.feats, f.fixed)
		return f.batch
	}
	for len(f.batch) < most {
		j := f.next(varies || len(f.batch) > 0)
		if j < 0 {
			break
		}
		f.batch = append(f.batch, j)
	}
	return f.batch
}

// next is take of one feature; -1: no more are to be drawn.
func (f *sampler) next(varies bool) int {
	bound := len(f.feats)
	if varies || f.again {
		bound = f.want
	}
	for at := f.drawn; at < bound; at++ {
		k := at
		if f.again {
			k = f.rng.intN(len(f.feats))
		} else if f.rng != nil {
			k += f.rng.intN(len(f.feats) - at)
			f.feats[at], f.feats[k] = f.feats[k], f.feats[at]
			k = at
		}
		if j := f.feats[k]; j >= 64 || f.fixed>>j&1 == 0 {
			f.drawn = at + 1
			return j
		}
	}
	f.drawn = max(f.drawn, bound)
	return -1
}

// constant notes that feature j is constant in the current node.
func (f *sampler) constant(j int) {
	if j < 64 {
		f.fixed |= 1 << j
	}
}

// varying appends the features that are not known to be constant to dst.
func varying(dst, feats []int, fixed uint64) []int {
	for _, j := range feats {
		if j >= 64 || fixed>>j&1 == 0 {
			dst = append(dst, j)
		}
	}
	return dst
}
