package neural

import (
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"gonum.org/v1/gonum/mat"
)

// split draws the validation rows: of the rows of each group the same share,
// spread evenly over the groups, the largest first, whatever their numbers are. Nil groups
// are one. It returns both kinds of rows in ascending order.
func (c Config) split(n int, groups []int) (learn, valid []int, err error) {
	rows := mlcore.NewRand(c.Seed, streamValidation).Perm(n)
	if groups != nil {
		place := make([]int, n)
		strata, numbers := given.Strata(groups)
		for k, members := range strata {
			for _, r := range members {
				place[r] = numbers[k]
			}
		}
		slices.SortStableFunc(rows, func(a, b int) int { return place[a] - place[b] })
	}
	for k, r := range rows {
		if math.Floor(float64(float64(k+1)*c.ValidationFraction)) > math.Floor(float64(float64(k)*c.ValidationFraction)) {
			valid = append(valid, r)
		} else {
			learn = append(learn, r)
		}
	}
	if len(valid) == 0 || len(learn) == 0 {
		return nil, nil, configError("ValidationFraction %v of %d rows leaves %d to learn from and %d to validate with", c.ValidationFraction, n, len(learn), len(valid))
	}
	slices.Sort(learn)
	slices.Sort(valid)
	return learn, valid, nil
}

// examples are rows with labels of either kind and weights, as they come in.
type examples[L int | float64] struct {
	X mat.Matrix
	y []L
	w []float64
}

func (e examples[L]) take(rows []int) examples[L] {
	return examples[L]{given.Subset(e.X, rows), given.Pick(e.y, rows), given.Pick(e.w, rows)}
}

// weighty leaves out rows of weight 0, which are treated as absent.
func (e examples[L]) weighty() examples[L] {
	if !slices.Contains(e.w, 0) {
		return e
	}
	return e.take(given.Weighted(e.w, len(e.w)))
}

// separate returns the rows to learn from and those to validate with; the latter
// have a nil X if there are none. given is the validation set of the
// configuration, if any, already checked.
func separate[L int | float64](c Config, all examples[L], given *examples[L], groups []int) (learn, valid examples[L], err error) {
	if given != nil {
		return all, given.weighty(), nil
	}
	if c.ValidationFraction == 0 {
		return all, valid, nil
	}
	n, _ := all.X.Dims()
	learnRows, validRows, err := c.split(n, groups)
	if err != nil {
		return learn, valid, err
	}
	return all.take(learnRows), all.take(validRows), nil
}

// checkValidation checks the rows of a validation set and returns their number.
func checkValidation(v *mlcore.Dataset) (int, error) {
	if v.X == nil {
		return 0, fmt.Errorf("neural: validation rows: %w: there are none", mlcore.ErrEmpty)
	}
	if err := mlcore.CheckMatrix(v.X, false); err != nil {
		return 0, fmt.Errorf("neural: validation rows: %w", err)
	}
	if err := mlcore.CheckWeights(v.Weights, v.Len()); err != nil {
		return 0, fmt.Errorf("neural: validation rows: %w", err)
	}
	return v.Len(), nil
}

// align brings the validation rows of a fit to ds into its form.
func (c Config) align(ds *mlcore.Dataset) (Config, error) {
	if c.Validation == nil {
		return c, nil
	}
	v, err := c.Validation.Align(ds.Schema())
	if err != nil {
		return c, fmt.Errorf("neural: validation rows: %w", err)
	}
	c.Validation = v
	return c, nil
}
