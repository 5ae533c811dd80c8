package preprocess

import (
	"fmt"
	"slices"
	"strconv"

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
	if _, factors := m.size(); factors > maxFactors {
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
	// The columns of product k, ascending, are factors[ends[k]:ends[k+1]].
	factors, ends []int
	// shorter is the product of all its columns but the last; -1 for less than two.
	shorter []int
}

// size counts the products and the factors of all of them. It stops counting where there
// are more than maxFactors. There are C(d+k-1, k) products of k columns out of d, and
// C(d, k) without repetition.
func (m *Polynomial) size() (products, factors int) {
	d, ofDegree := len(m.picked), 1
	for k := 1; k <= m.degree; k++ {
		choices := d + k - 1
		if m.interactionOnly {
			choices = d - k + 1
		}
		if choices <= 0 {
			break
		}
		ofDegree = ofDegree * choices / k // the division leaves no remainder
		products += ofDegree
		if factors += ofDegree * k; factors > maxFactors {
			break
		}
	}
	return products, factors
}

// describe derives the products and the columns that come out.
func (m *Polynomial) describe() {
	products, factors := m.size()
	if m.bias {
		products++
	}
	m.factors, m.ends = make([]int, 0, factors), make([]int, 1, 1+products)
	m.shorter = make([]int, 0, products)
	add := func(shorter int, term []int, more ...int) {
		m.shorter = append(m.shorter, shorter)
		m.factors = append(append(m.factors, term...), more...)
		m.ends = append(m.ends, len(m.factors))
	}
	if m.bias {
		add(-1, nil)
	}
	first := m.products() // of the products with as many factors as were added last
	for _, j := range m.picked {
		add(-1, nil, j)
	}
	// Each product of k columns begins with one of k-1; the order is that of
	// scikit-learn, by degree and then by the columns.
	for k := 2; k <= m.degree && first < m.products(); k++ {
		shorter := m.products()
		for ; first < shorter; first++ {
			term := m.term(first)
			last := term[len(term)-1]
			for _, j := range m.picked {
				if j > last || j == last && !m.interactionOnly {
					add(first, term, j)
				}
			}
		}
	}
	m.out = make([]mlcore.Column, 0, len(m.in)-len(m.picked)+products)
	for j, c := range m.in {
		if _, expanded := slices.BinarySearch(m.picked, j); !expanded {
			m.out = append(m.out, c)
		}
	}
	var name []byte
	for k := range products {
		name = m.appendName(name[:0], m.term(k))
		m.out = append(m.out, mlcore.Column{Name: string(name)})
	}
}

// products is how many there are.
func (m *Polynomial) products() int { return len(m.ends) - 1 }

// term returns the columns of product k.
func (m *Polynomial) term(k int) []int { return m.factors[m.ends[k]:m.ends[k+1]] }

// appendName writes a product as scikit-learn does: "a^2 b", and "1" without a factor.
func (m *Polynomial) appendName(name []byte, term []int) []byte {
	if len(term) == 0 {
		return append(name, '1')
	}
	for at := 0; at < len(term); {
		power := 1
		for at+power < len(term) && term[at+power] == term[at] {
			power++
		}
		if at > 0 {
			name = append(name, ' ')
		}
		name = append(name, m.in[term[at]].Name...)
		if power > 1 {
			name = strconv.AppendInt(append(name, '^'), int64(power), 10)
		}
		at += power
	}
	return name
}

// Powers returns for each product the power of each expanded column, in the columns'
// order: scikit-learn's powers_.
func (m *Polynomial) Powers() [][]int {
	powers := make([][]int, max(0, m.products()))
	for k := range powers {
		powers[k] = make([]int, len(m.picked))
		for _, j := range m.term(k) {
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
	for k, shorter := range m.shorter {
		product, end := 1.0, m.ends[k+1]
		if shorter >= 0 {
			product = dst[at+shorter]
		}
		if end > 0 { // the product of no columns stands first
			product *= src[m.factors[end-1]]
		}
		if product-product != 0 {
			return m.term(k)[0], fmt.Errorf("%w: the product %q overflows; scale the columns first", mlcore.ErrNonFinite, m.out[at+k].Name)
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
