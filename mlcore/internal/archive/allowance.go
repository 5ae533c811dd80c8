package archive

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
)

// A message may claim more than it has bytes for: columns that no support vector fills,
// names made of other names, classes that no leaf holds. All the claims of a message
// together, those of models within models included, have a bound that grows with its
// length, for else a small file could ask for all memory.
//
// Models of this release cannot exceed the bounds of classes and columns, whose names are
// in the message; what is always granted is for files of v0.1, which may lack names.
const (
	// Bytes that reading may take beyond those of the message itself.
	memoryGranted, memoryPerByte = 64 << 20, 64
	// Classes of all classifiers together, as each may take a row of probabilities.
	classesGranted, classesPerByte = 1 << 14, 8
	// Columns of one model.
	columnsGranted, columnsPerByte = 1 << 20, 8
)

// claims are what the models of a message have claimed so far.
type claims struct{ memory, classes, columns int }

// bounds are the claims that a message of size bytes may make.
func bounds(size int) claims {
	return claims{
		memory:  memoryGranted + memoryPerByte*size,
		classes: classesGranted + classesPerByte*size,
		columns: columnsGranted + columnsPerByte*size,
	}
}

// exceed describes the claim that is out of bounds, "" if none is.
func (c *claims) exceed(b claims) string {
	switch {
	case c.memory > b.memory:
		return fmt.Sprintf("more than %d MB of memory", b.memory>>20)
	case c.classes > b.classes:
		return fmt.Sprintf("more than %d classes in all", b.classes)
	case c.columns > b.columns:
		return fmt.Sprintf("more than %d columns", b.columns)
	}
	return ""
}

// Claim counts n values of size bytes each that fields are about to make, in a model that
// is read, and for which the message has no bytes. It has to be called before they are
// made; more than a message of its length may claim makes c fail. The same call when
// writing makes sure that what is written can be read.
func (c *Coder) Claim(n, size int) {
	c.claimed.memory = add(c.claimed.memory, n, size)
	c.checkClaims()
}

// claim counts the classes and the columns of m.
func (c *Coder) claim(m any) {
	if c.err != nil {
		return
	}
	if s, ok := m.(interface{ NumClasses() int }); ok {
		c.claimed.classes = add(c.claimed.classes, s.NumClasses(), 1)
	}
	c.claimed.columns = max(c.claimed.columns, sized(m))
	c.checkClaims()
}

func (c *Coder) checkClaims() {
	if !c.reading {
		return // how long the message gets is not known yet
	}
	if what := c.claimed.exceed(c.bounds); what != "" {
		c.Fail("a file of this length cannot hold %s", what)
	}
}

// refuseClaims refuses to write a message of size bytes that could not be read.
func (c *Coder) refuseClaims(size int) {
	if what := c.claimed.exceed(bounds(size)); what != "" {
		c.Refuse(fmt.Errorf("%w: the model has %s, which a file of %d bytes cannot hold", mlcore.ErrConfig, what, size))
	}
}

// add returns sum + n*size, or the greatest number where that is more.
func add(sum, n, size int) int {
	const most = int(^uint(0) >> 1)
	if n > 0 && size > (most-sum)/n {
		return most
	}
	return sum + max(n, 0)*size
}
