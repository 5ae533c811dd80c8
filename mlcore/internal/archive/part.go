package archive

import (
	"fmt"
	"reflect"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
)

// Part takes a model of any registered kind that is part of another. M is what the
// part has to be, such as mlcore.Classifier; reading anything else fails.
func Part[M any](c *Coder, name string, m *M) {
	c.Group(name, func() { body(c, m) })
}

// Parts takes a slice of models; see [Part].
func Parts[M any](c *Coder, name string, m *[]M) {
	List(c, name, m, func(_ int, part *M) { body(c, part) })
}

// body takes the kind, the version, the schema and the fields of a model.
func body[M any](c *Coder, m *M) {
	if c.depth++; c.depth > maxDepth {
		c.Fail("models within models, %d deep", c.depth)
	}
	defer func() { c.depth-- }()
	if c.err != nil {
		return
	}
	if c.reading {
		read(c, m)
		return
	}
	k, err := kindOf(*m)
	if err == nil {
		err = checkFitted(*m)
	}
	if err != nil {
		c.Refuse(err)
		return
	}
	write(c, k, *m)
}

func write(c *Coder, k *kind, m any) {
	name, version := k.name, k.version
	c.String("kind", &name)
	c.Int("version", &version)
	if e := fitted.Of(m); e != nil {
		c.schema(e)
	}
	c.fields(k, version, m)
	c.claim(m)
}

// fields takes the fields of m while c.version is theirs.
func (c *Coder) fields(k *kind, version int, m any) {
	outer := c.version
	c.version = version
	k.fields(c, m)
	c.version = outer
}

func read[M any](c *Coder, m *M) {
	name, version := "", 0
	c.String("kind", &name)
	c.Int("version", &version)
	if c.err != nil {
		return
	}
	k, err := kindNamed(name)
	if err != nil {
		c.Refuse(err)
		return
	}
	if version < 1 || version > k.version {
		c.Refuse(fmt.Errorf("%w: version %d of %s; this build reads up to %d, a newer release may read it", mlcore.ErrVersion, version, name, k.version))
		return
	}
	fresh := k.fresh()
	typed, ok := fresh.(M)
	if !ok {
		c.Fail("holds a %s where a %v is needed", name, reflect.TypeFor[M]())
		return
	}
	if e := fitted.Of(fresh); e != nil {
		c.schema(e)
	}
	if c.err != nil {
		return // fields may count on being able to read
	}
	if c.fields(k, version, fresh); c.err == nil {
		if err := checkFitted(fresh); err != nil {
			c.Fail("a %s without columns", name)
			return
		}
		if s, n := fitted.Of(fresh), sized(fresh); s != nil && s.Schema() != nil && n >= 0 && len(s.Schema().Columns) != n {
			c.Fail("a %s of %d columns describes %d", name, n, len(s.Schema().Columns))
			return
		}
		c.claim(fresh)
		*m = typed
	}
}

// sized returns the number of columns that m takes, -1 where it does not say.
func sized(m any) int {
	if s, ok := m.(interface{ NumFeatures() int }); ok {
		return s.NumFeatures()
	}
	return -1
}

// checkFitted refuses a nil pointer and a zero model, which has no columns.
func checkFitted(m any) error {
	if v := reflect.ValueOf(m); v.Kind() == reflect.Pointer && v.IsNil() {
		return fmt.Errorf("a nil %T: %w", m, mlcore.ErrNotFitted)
	}
	if sized(m) == 0 {
		return fmt.Errorf("%T: %w", m, mlcore.ErrNotFitted)
	}
	if t, ok := m.(interface{ InputColumns() []mlcore.Column }); ok && len(t.InputColumns()) == 0 {
		return fmt.Errorf("%T: %w", m, mlcore.ErrNotFitted)
	}
	return nil
}
