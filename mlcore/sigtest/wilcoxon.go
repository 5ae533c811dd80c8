package sigtest

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
)

// ZeroMethod is what the Wilcoxon test does with pairs that do not differ. The
// names are scipy's.
type ZeroMethod int

const (
	// Wilcox leaves zeros out before ranking. The default.
	Wilcox ZeroMethod = iota
	// Pratt ranks zeros along with the others and then leaves their ranks out.
	Pratt
	// ZSplit ranks zeros along with the others and gives half of their ranks to
	// either side.
	ZSplit
)

// String returns "wilcox", "pratt" or "zsplit".
func (z ZeroMethod) String() string {
	switch z {
	case Wilcox:
		return "wilcox"
	case Pratt:
		return "pratt"
	case ZSplit:
		return "zsplit"
	}
	return fmt.Sprintf("ZeroMethod(%d)", int(z))
}

// WilcoxonMode is how the Wilcoxon test gets its p-value.
type WilcoxonMode int

const (
	// Auto is Exact for up to 13 pairs, and for up to 50 without zeros and
	// without ties among the absolute differences; Normal else, as scipy does
	// (R: Normal wherever there are ties or zeros). The default.
	Auto WilcoxonMode = iota
	// Exact goes through all signs of the ranks; with ties or zeros it is the
	// distribution given the ranks that these leave. For up to 500 pairs.
	Exact
	// Normal approximates by a normal distribution, its variance corrected for
	// ties.
	Normal
)

// String returns "auto", "exact" or "normal".
func (m WilcoxonMode) String() string {
	switch m {
	case Auto:
		return "auto"
	case Exact:
		return "exact"
	case Normal:
		return "normal"
	}
	return fmt.Sprintf("WilcoxonMode(%d)", int(m))
}

const (
	autoExactAny   = 13
	autoExactPairs = 50
	mostExactPairs = 500
)

// WilcoxonConfig describes a Wilcoxon signed-rank test. The zero value is
// two-sided, leaves zeros out and chooses the mode by itself.
type WilcoxonConfig struct {
	// Alternative is TwoSided by default.
	Alternative Alternative
	// Zeros is Wilcox by default.
	Zeros ZeroMethod
	// Mode is Auto by default.
	Mode WilcoxonMode
	// Correction moves the statistic by 1/2 towards its mean, if two-sided never
	// past it (continuity correction). In Normal mode only; an error in Exact.
	Correction bool
}

// Test asks whether the differences a - b lie symmetrically about 0. Their
// absolute values are ranked, ties sharing the mean rank; R+ and R- are the sums
// of the ranks of positive and negative differences. Statistic is min(R+, R-) if
// two-sided and R+ else. N is the number of pairs ranked, so with Wilcox without
// the zeros. (Wilcoxon, 1945, Biometrics Bulletin 1; Pratt, 1959, JASA 54.)
//
// In Normal mode, with n ranked pairs, z = (R+ - n(n+1)/4) / sqrt(V), where
//
//	24 V = n(n+1)(2n+1) - (sum of t³-t over groups of t ties)/2
//
// With Pratt and m zeros, m(m+1)(2m+1) is subtracted from that, and m(m+1)/4
// from the mean. With ZSplit zeros are one more group of ties. These are
// scipy's formulas.
//
// Values tie if they are equal to the last bit: round scores such as accuracies
// first where 0.9-0.8 should tie with 0.8-0.7. If no pair differs, p is 1.
func (c WilcoxonConfig) Test(a, b []float64) (Result, error) {
	if err := c.check(); err != nil {
		return Result{}, err
	}
	if err := checkPaired(a, b, 1); err != nil {
		return Result{}, err
	}
	d := differences(a, b)
	// Two finite numbers can be further apart than the largest one.
	if err := checkFinite("differences", d); err != nil {
		return Result{}, err
	}
	s := c.rank(d)
	mode := c.Mode
	if mode == Auto {
		mode = Normal
		if len(d) <= autoExactAny || s.n <= autoExactPairs && s.zeros == 0 && s.ties == 0 {
			mode = Exact
		}
	}
	out := Result{Method: fmt.Sprintf("Wilcoxon signed-rank, %v, %v", c.Zeros, mode), Alternative: c.Alternative, N: s.n, PValue: 1}
	out.Statistic = s.plus
	if c.Alternative == TwoSided {
		out.Statistic = min(s.plus, s.minus)
	}
	if len(s.ranks) == 0 {
		return out, nil
	}
	if mode == Exact {
		if s.n > mostExactPairs {
			return Result{}, fmt.Errorf("%w: Exact with %d pairs; %d are the most, use Normal", mlcore.ErrConfig, s.n, mostExactPairs)
		}
		out.PValue = c.Alternative.pick(s.exactTails())
		return out, nil
	}
	out.PValue = c.normal(s)
	return out, nil
}

func (c WilcoxonConfig) check() error {
	if err := c.Alternative.check(); err != nil {
		return err
	}
	if c.Zeros < Wilcox || c.Zeros > ZSplit {
		return fmt.Errorf("%w: %v; use Wilcox, Pratt or ZSplit", mlcore.ErrConfig, c.Zeros)
	}
	if c.Mode < Auto || c.Mode > Normal {
		return fmt.Errorf("%w: %v; use Auto, Exact or Normal", mlcore.ErrConfig, c.Mode)
	}
	if c.Correction && c.Mode == Exact {
		return fmt.Errorf("%w: Correction is for Normal mode; exact p-values need none", mlcore.ErrConfig)
	}
	return nil
}

// signedRanks are ranked differences. ranks are those of the pairs that differ;
// n counts what was ranked, zeros the pairs that do not differ; ties is the sum of
// t³-t over the groups that Normal mode corrects for.
type signedRanks struct {
	ranks       []float64
	plus, minus float64
	n, zeros    int
	ties        float64
}

func (c WilcoxonConfig) rank(d []float64) signedRanks {
	var s signedRanks
	sizes, signs := make([]float64, 0, len(d)), make([]float64, 0, len(d))
	for _, v := range d {
		if v == 0 {
			s.zeros++
			if c.Zeros == Wilcox {
				continue
			}
		}
		sizes, signs = append(sizes, math.Abs(v)), append(signs, v)
	}
	s.n = len(sizes)
	ranks, ties := midranks(sizes)
	s.ties = ties
	if c.Zeros == Pratt {
		s.ties -= tieTerm(s.zeros)
	}
	for i, r := range ranks {
		switch {
		case signs[i] > 0:
			s.plus += r
		case signs[i] < 0:
			s.minus += r
		default:
			if c.Zeros == ZSplit {
				s.plus += float64(r / 2)
				s.minus += float64(r / 2)
			}
			continue
		}
		s.ranks = append(s.ranks, r)
	}
	return s
}

// exactTails returns the chances of an R+ no larger and no smaller than the
// observed one when each rank's sign is a fair coin. Ranks are doubled, which
// makes mid-ranks whole; what ZSplit adds to both sides cancels.
func (s signedRanks) exactTails() (lower, upper float64) {
	total := 0
	for _, r := range s.ranks {
		total += int(2 * r)
	}
	chance := make([]float64, total+1)
	chance[0] = 1
	reached := 0
	for _, r := range s.ranks {
		step := int(2 * r)
		reached += step
		for sum := reached; sum >= 0; sum-- {
			chance[sum] = float64(chance[sum] / 2)
			if sum >= step {
				// Not halved yet: sums are visited from the top.
				chance[sum] += float64(chance[sum-step] / 2)
			}
		}
	}
	// R+ and R- differ by the same whether or not zeros were split.
	observed := (total + int(math.Round(2*(s.plus-s.minus)))) / 2
	for sum, p := range chance {
		if sum <= observed {
			lower += p
		}
		if sum >= observed {
			upper += p
		}
	}
	return lower, upper
}

func (c WilcoxonConfig) normal(s signedRanks) float64 {
	n := float64(s.n)
	mean := float64(n * (n + 1) / 4)
	variance := float64(n*(n+1)*(float64(2*n)+1)) - float64(s.ties/2)
	if c.Zeros == Pratt {
		m := float64(s.zeros)
		mean -= float64(m * (m + 1) / 4)
		variance -= float64(m * (m + 1) * (float64(2*m) + 1))
	}
	distance := s.plus - mean
	if c.Correction {
		switch c.Alternative {
		case TwoSided:
			distance -= math.Copysign(min(0.5, math.Abs(distance)), distance)
		case Greater:
			distance -= 0.5
		case Less:
			distance += 0.5
		}
	}
	z := distance / math.Sqrt(variance/24)
	return c.Alternative.pick(normalUpper(-z), normalUpper(z))
}
