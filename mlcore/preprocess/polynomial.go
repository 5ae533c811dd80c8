package preprocess

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// PolynomialConfig replaces numeric columns by their products up to a degree, so that
// a linear model can learn curves: a and b become a, b, a^2, a b and b^2. Powers of
// large numbers are very large; put a StandardScaler before it, after it or both. The
// zero value makes all products of degree 1 and 2 of all numeric columns.
//
// Columns that are not expanded come first, then the products in the order and with
// the names of scikit-learn's PolynomialFeatures. Unlike in scikit-learn, a column
// of ones is made only if it is asked for, since linear models have an intercept of
// their own.
type PolynomialConfig struct {
	// Degree is the greatest number of factors of a product; 0 means 2.
	Degree int
	// InteractionOnly leaves out products in which a column is a factor twice.
	InteractionOnly bool
	// IncludeBias puts a column of ones, named "1", before the products.
	IncludeBias bool
	// Columns names those to expand; nil means all numeric ones.
	Columns []string
}

const (
	// defaultDegree is that of a PolynomialConfig which says none.
	defaultDegree = 2
	// maxFactors bounds the factors of all products together: what a wrong setting or
	// a broken file may ask for.
	maxFactors = 1 << 20
)

// Fit notes the columns; nothing is learned from the rows. Products with more than a
// million factors in all are an error that wraps [mlcore.ErrConfig].
func (c PolynomialConfig) Fit(train *mlcore.Dataset) (*Polynomial, error) {
	picked, err := start(train, c.Columns, numeric)
	if err != nil {
		return nil, err
	}
	degree := c.Degree
	if degree == 0 {
		degree = defaultDegree
	}
	switch {
	case len(picked) == 0:
		return nil, dataError(train, mlcore.ErrColumn, "no numeric column to expand")
	case degree < 0:
		return nil, configError("Degree is %d; it is at least 1", degree)
	}
	m := &Polynomial{picked: picked, degree: degree, interactionOnly: c.InteractionOnly, bias: c.IncludeBias}
	if m.factors() > maxFactors {
		return nil, configError("Degree %d makes products of more than %d factors in all out of %d columns", degree, maxFactors, len(picked))
	}
	m.in = slices.Clone(train.Columns)
	m.describe()
	return m, nil
}

// FitStep is Fit for a pipeline.
func (c PolynomialConfig) FitStep(train *mlcore.Dataset) (FittedStep, error) {
	return fitStep(c.Fit, train)
}

// A Polynomial is a fitted [PolynomialConfig].
type Polynomial struct {
	shape
	picked          []int
	degree          int
	interactionOnly bool
	bias            bool
	terms           [][]int // the columns of each product, ascending
}

// factors counts the factors of all products, or returns a number above maxFactors
// where there are more than that. There are C(d+k-1, k) products of k columns out of
// d, and C(d, k) without repetition.
func (m *Polynomial) factors() int {
	d, total, products := len(m.picked), 0, 1
	for k := 1; k <= m.degree; k++ {
		choices := d + k - 1
		if m.interactionOnly {
			choices = d - k + 1
		}
		if choices <= 0 {
			break
		}
		products = products * choices / k // the division leaves no remainder
		if total += products * k; total > maxFactors {
			return maxFactors + 1
		}
	}
	return total
}

// describe derives the products and the columns that come out.
func (m *Polynomial) describe() {
	m.terms, m.out = nil, nil
	for j, c := range m.in {
		if _, expanded := slices.BinarySearch(m.picked, j); !expanded {
			m.out = append(m.out, c)
		}
	}
	if m.bias {
		m.terms = append(m.terms, nil)
	}
	// Each product of k columns begins with one of k-1; the order is that of
	// scikit-learn, by degree and then by the columns.
	shorter := [][]int{nil}
	for range m.degree {
		var longer [][]int
		for _, term := range shorter {
			for _, j := range m.picked {
				if n := len(term); n == 0 || j > term[n-1] || j == term[n-1] && !m.interactionOnly {
					longer = append(longer, append(slices.Clip(term), j))
				}
			}
		}
		if len(longer) == 0 {
			break
		}
		m.terms = append(m.terms, longer...)
		shorter = longer
	}
	for _, term := range m.terms {
		m.out = append(m.out, mlcore.Column{Name: m.name(term)})
	}
}

// name writes a product as scikit-learn does: "a^2 b", and "1" without a factor.
func (m *Polynomial) name(term []int) string {
	var factors []string
	for at := 0; at < len(term); {
		power := 1
		for at+power < len(term) && term[at+power] == term[at] {
			power++
		}
		factor := m.in[term[at]].Name
		if power > 1 {
			factor = fmt.Sprintf("%s^%d", factor, power)
		}
		factors = append(factors, factor)
		at += power
	}
	if factors == nil {
		return "1"
	}
	return strings.Join(factors, " ")
}

// Powers returns for each product the power of each expanded column, in the columns'
// order: scikit-learn's powers_.
func (m *Polynomial) Powers() [][]int {
	powers := make([][]int, len(m.terms))
	for k, term := range m.terms {
		powers[k] = make([]int, len(m.picked))
		for _, j := range term {
			p, _ := slices.BinarySearch(m.picked, j)
			powers[k][p]++
		}
	}
	return powers
}

func (m *Polynomial) mapRow(dst, src []float64) (int, error) {
	at, j, err := copyOthers(dst, src, m.picked)
	if err != nil {
		return j, err
	}
	for k, term := range m.terms {
		product := 1.0
		for _, j := range term {
			product *= src[j]
		}
		if product-product != 0 {
			return term[0], fmt.Errorf("%w: the product %q overflows; scale the columns first", mlcore.ErrNonFinite, m.out[at+k].Name)
		}
		dst[at+k] = product
	}
	return 0, nil
}

// Transform makes the products; see [Transformer].
func (m *Polynomial) Transform(ds *mlcore.Dataset) (*mlcore.Dataset, error) {
	return transform(m, ds)
}

// TransformRows makes the products; see [Transformer].
func (m *Polynomial) TransformRows(X mat.Matrix) (*mat.Dense, error) { return transformRows(m, X) }
