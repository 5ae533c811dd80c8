package mlcore

import (
	"errors"

	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// The sentinel errors. What the library returns wraps one of them, so that
// errors.Is tells the kinds apart, and adds the place and the remedy.
var (
	// ErrEmpty: no rows or no columns.
	ErrEmpty = errors.New("no data")
	// ErrShape: lengths or widths that do not agree.
	ErrShape = errors.New("shape mismatch")
	// ErrNonFinite: a NaN or an infinity where a finite number is needed.
	ErrNonFinite = errors.New("non-finite value")
	// ErrLabel: a class code below 0 or not below the number of classes.
	ErrLabel = errors.New("bad class label")
	// ErrOneClass: an algorithm that separates classes was given only one.
	ErrOneClass = errors.New("only one class")
	// ErrWeight: a negative or non-finite sample weight, or weights that sum to 0.
	ErrWeight = errors.New("bad sample weight")
	// ErrLevel: a categorical code that is not a whole number within its levels.
	ErrLevel = errors.New("unknown category")
	// ErrConfig: a setting outside its documented range.
	ErrConfig = errors.New("bad configuration")
	// ErrColumn: a column that is missing, doubled or of the wrong type.
	ErrColumn = errors.New("bad column")
	// ErrNotFitted: a model that no Fit method made, such as a zero value.
	ErrNotFitted = errors.New("the model is not fitted")
	// ErrCorrupt: bytes that are not a whole serialised model.
	ErrCorrupt = errors.New("corrupt model data")
	// ErrKind: a kind of model that no imported package registers, or that a
	// format other than the library's own cannot hold.
	ErrKind = errors.New("unknown kind of model")
	// ErrPanic: a function that the caller supplied, such as a metric, a kernel, a
	// loss or a learner, panicked, or the library itself did, which is a bug in it.
	// The error holds the value and the stack. Where the value is an error,
	// errors.Is finds it too.
	ErrPanic = par.ErrPanic
	// ErrVersion: a serialised model of a format this version cannot read.
	ErrVersion = errors.New("unsupported model format version")
)
