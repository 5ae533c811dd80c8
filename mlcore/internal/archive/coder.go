package archive

import (
	"fmt"
	"unicode/utf8"

	"github.com/mllabs-go/mllabs/mlcore"
)

// A Coder takes the fields of a model one after the other: it writes the values
// that are pointed to, or fills them in. After an error it does nothing more, and
// fields that are read stay zero. Writing, it changes nothing of the model, and nor
// must those that hand it fields: a model is safe for concurrent use, also while it is saved.
type Coder struct {
	form    form
	reading bool
	err     error
	version int // of the part at hand
	depth   int // of parts within parts
	schemas []*mlcore.Schema
	claimed claims
	bounds  claims // when reading
}

// form is how values look: binary or JSON, written or read. Names matter to JSON
// alone.
type form interface {
	uint64(name string, v *uint64)
	int(name string, v *int)
	float64(name string, v *float64)
	bool(name string, v *bool)
	string(name string, v *string)
	bytes(name string, v *[]byte)
	ints(name string, v *[]int)
	int32s(name string, v *[]int32)
	uint64s(name string, v *[]uint64)
	float64s(name string, v *[]float64)
	bools(name string, v *[]bool)
	strings(name string, v *[]string)
	// group calls fields for values that belong together.
	group(name string, fields func())
	// list calls fields for each of *n elements in turn. Reading, n is set first,
	// to no more elements than there can be.
	list(name string, n *int, fields func(i int))
}

// maxDepth bounds parts within parts, so that a message cannot exhaust the stack.
const maxDepth = 64

// Reading reports whether fields are filled in rather than written: the time to
// check them and to derive what is not stored.
func (c *Coder) Reading() bool { return c.reading && c.err == nil }

// Version is the version of the fields of the part at hand: that of the message
// when reading, the registered one when writing.
func (c *Coder) Version() int { return c.version }

// Fail records that what was read cannot be a model, unless an error came before.
func (c *Coder) Fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("%w: %s", mlcore.ErrCorrupt, fmt.Sprintf(format, args...))
	}
}

// Check fails unless ok.
func (c *Coder) Check(ok bool, format string, args ...any) {
	if !ok {
		c.Fail(format, args...)
	}
}

// Refuse records that a model cannot be written.
func (c *Coder) Refuse(err error) {
	if c.err == nil {
		c.err = err
	}
}

// OK reports whether there was no error so far.
func (c *Coder) OK() bool { return c.err == nil }

func (c *Coder) Uint64(name string, v *uint64)      { do(c, c.form.uint64, name, v) }
func (c *Coder) Int(name string, v *int)            { do(c, c.form.int, name, v) }
func (c *Coder) Float64(name string, v *float64)    { do(c, c.form.float64, name, v) }
func (c *Coder) Bool(name string, v *bool)          { do(c, c.form.bool, name, v) }
func (c *Coder) Bytes(name string, v *[]byte)       { do(c, c.form.bytes, name, v) }
func (c *Coder) Int32s(name string, v *[]int32)     { do(c, c.form.int32s, name, v) }
func (c *Coder) Uint64s(name string, v *[]uint64)   { do(c, c.form.uint64s, name, v) }
func (c *Coder) Bools(name string, v *[]bool)       { do(c, c.form.bools, name, v) }
func (c *Coder) Ints(name string, v *[]int)         { do(c, c.form.ints, name, v) }
func (c *Coder) Float64s(name string, v *[]float64) { do(c, c.form.float64s, name, v) }

func (c *Coder) String(name string, v *string) {
	c.checkText(name, *v)
	do(c, c.form.string, name, v)
}

func (c *Coder) Strings(name string, v *[]string) {
	c.checkText(name, *v...)
	do(c, c.form.strings, name, v)
}

// checkText refuses to write text that is not UTF-8, such as names from a file in
// Latin-1, in JSON, which would change it and make two levels one.
func (c *Coder) checkText(name string, text ...string) {
	if _, json := c.form.(*jsonWriter); !json {
		return
	}
	for _, s := range text {
		if !utf8.ValidString(s) {
			c.Refuse(fmt.Errorf("%w: %s %q is not UTF-8, and JSON can hold no other text; the binary form can", mlcore.ErrConfig, name, s))
		}
	}
}

func do[T any](c *Coder, field func(string, *T), name string, v *T) {
	if c.err == nil {
		field(name, v)
	}
}

// Group takes fields that belong together under one name.
func (c *Coder) Group(name string, fields func()) {
	if c.err == nil {
		c.form.group(name, fields)
	}
}

// Optional takes fields that a model may lack. Writing, has says whether it has
// them; Optional returns the same when reading.
func (c *Coder) Optional(name string, has bool, fields func()) bool {
	c.Bool("has_"+name, &has)
	if has && c.err == nil {
		c.form.group(name, fields)
	}
	return has && c.err == nil
}

// OptionalInts keeps nil apart from an empty slice.
func (c *Coder) OptionalInts(name string, v *[]int) {
	c.Optional(name, *v != nil, func() {
		c.Ints("values", v)
		if c.Reading() && *v == nil {
			*v = []int{}
		}
	})
}

// OptionalStrings keeps nil apart from an empty slice.
func (c *Coder) OptionalStrings(name string, v *[]string) {
	c.Optional(name, *v != nil, func() {
		c.Strings("values", v)
		if c.Reading() && *v == nil {
			*v = []string{}
		}
	})
}

// Enum takes a setting that is one of the values 0 to names-1; in JSON it goes by
// its name. Anything else fails when read.
func Enum[E ~int](c *Coder, name string, v *E, names ...string) {
	if j, ok := c.form.(named); ok && c.err == nil {
		word := ""
		if !c.reading {
			if int(*v) < 0 || int(*v) >= len(names) {
				c.Refuse(fmt.Errorf("%w: %s is %d", mlcore.ErrConfig, name, int(*v)))
				return
			}
			word = names[*v]
		}
		j.string(name, &word)
		if c.Reading() {
			for i, n := range names {
				if n == word {
					*v = E(i)
					return
				}
			}
			c.Fail("%s is %q, none of %q", name, word, names)
		}
		return
	}
	i := int(*v)
	c.Int(name, &i)
	c.Check(i >= 0 && i < len(names), "%s is %d, of %d values", name, i, len(names))
	if c.Reading() { // never when writing: others may use the model at the same time
		*v = E(i)
	}
}

// named is a form in which enumerations go by their names.
type named interface {
	form
	named()
}

// List takes a slice of structs; fields takes one of them.
func List[T any](c *Coder, name string, v *[]T, fields func(i int, element *T)) {
	if c.err != nil {
		return
	}
	n := len(*v)
	c.form.list(name, &n, func(i int) {
		if !c.reading {
			fields(i, &(*v)[i])
			return
		}
		// Grown as elements come, so that a wrong n allocates nothing ahead.
		var element T
		if fields(i, &element); c.err == nil {
			*v = append(*v, element)
		}
	})
}
