package modelsel

import (
	"fmt"
	"strings"

	"github.com/mllabs-go/mllabs/mlcore"
)

// A Candidate is a configuration that a search tries.
type Candidate[C any] struct {
	// Config is the configuration.
	Config C
	// Params says what was varied, in the order of the axes, for tables.
	Params []Param
}

// A Param is the name of a setting and its value in words.
type Param struct{ Name, Value string }

// Settings returns the names and the values of Params.
func (c Candidate[C]) Settings() (names, values []string) {
	for _, p := range c.Params {
		names, values = append(names, p.Name), append(values, p.Value)
	}
	return names, values
}

// String returns "name=value name=value".
func (c Candidate[C]) String() string {
	words := make([]string, len(c.Params))
	for i, p := range c.Params {
		words[i] = p.Name + "=" + p.Value
	}
	return strings.Join(words, " ")
}

// List makes candidates of configurations, named "config" with their number.
func List[C any](configs ...C) []Candidate[C] {
	list := make([]Candidate[C], len(configs))
	for i, c := range configs {
		list[i] = Candidate[C]{c, []Param{{"config", fmt.Sprint(i)}}}
	}
	return list
}

// An Axis is a setting that [Grid] varies; [Vary] makes one.
type Axis[C any] struct {
	name   string
	values int
	set    func(c *C, i int) any
}

// Vary makes an axis of the given values of a setting; set writes one into a
// configuration:
//
//	modelsel.Vary("MaxDepth", func(c *tree.Config, v int) { c.MaxDepth = v }, 1, 2, 4, 8)
//
// A setting that is a slice or a pointer must be replaced, not changed in place.
func Vary[C, V any](name string, set func(c *C, v V), values ...V) Axis[C] {
	return Axis[C]{name, len(values), func(c *C, i int) any { set(c, values[i]); return values[i] }}
}

// Grid returns all combinations of the axes' values, with base for what they do
// not set: scikit-learn's ParameterGrid. The last axis varies fastest. An axis
// without values leaves no combination.
func Grid[C any](base C, axes ...Axis[C]) []Candidate[C] {
	grid := []Candidate[C]{{Config: base}}
	for _, a := range axes {
		finer := make([]Candidate[C], 0, len(grid)*a.values)
		for _, c := range grid {
			for i := range a.values {
				next := Candidate[C]{Config: c.Config}
				value := a.set(&next.Config, i)
				next.Params = append(append(next.Params, c.Params...), Param{a.name, fmt.Sprint(value)})
				finer = append(finer, next)
			}
		}
		grid = finer
	}
	return grid
}

// A Draw is a setting that [Random] draws; [DrawFrom] makes one.
type Draw[C any] struct {
	name  string
	check func() error
	set   func(c *C, seed uint64) any
}

// DrawFrom makes a Draw of a setting from a distribution; set writes a value into a
// configuration:
//
//	modelsel.DrawFrom("Alpha", func(c *linear.RidgeConfig, v float64) { c.Alpha = v }, modelsel.LogUniform(1e-3, 10))
func DrawFrom[C, V any](name string, set func(c *C, v V), from Distribution[V]) Draw[C] {
	return Draw[C]{name, from.check, func(c *C, seed uint64) any {
		v := from.draw(mlcore.NewRand(seed))
		set(c, v)
		return v
	}}
}

// Random returns n configurations with the given settings drawn at random and base
// for the others: scikit-learn's ParameterSampler. Candidate i depends on the seed,
// on i and on the number of each draw alone, so a longer list begins like a shorter
// one. Values are drawn independently, so small discrete spaces repeat themselves.
func Random[C any](n int, seed uint64, base C, draws ...Draw[C]) ([]Candidate[C], error) {
	if n < 1 {
		return nil, configError("%d random candidates; at least 1", n)
	}
	for _, d := range draws {
		if err := d.check(); err != nil {
			return nil, fmt.Errorf("modelsel: draw %q: %w", d.name, err)
		}
	}
	list := make([]Candidate[C], n)
	for i := range list {
		list[i].Config = base
		for k, d := range draws {
			value := d.set(&list[i].Config, mlcore.DeriveSeed(seed, uint64(i), uint64(k)))
			list[i].Params = append(list[i].Params, Param{d.name, words(value)})
		}
	}
	return list, nil
}

// words writes a drawn number with the digits that a table has room for.
func words(v any) string {
	if f, ok := v.(float64); ok {
		return fmt.Sprintf("%.4g", f)
	}
	return fmt.Sprint(v)
}
