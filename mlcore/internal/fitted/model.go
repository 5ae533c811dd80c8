package fitted

import (
	"errors"
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
)

// Model is embedded in every fitted model, under an unexported name.
type Model struct{ schema *mlcore.Schema }

// Schema returns what the columns and classes of the Dataset mean that the model
// was fitted to, nil if it is not fitted or was written by v0.1 after a fit to a bare
// matrix. It is shared and must not be changed.
func (m *Model) Schema() *mlcore.Schema { return m.schema }

var errJSON = errors.New("a model has fields that encoding/json does not see; modelfile.MarshalJSON and UnmarshalJSON write and read it")

// MarshalJSON returns an error: encoding/json would write a model as an empty
// object and lose it. Package modelfile writes one as JSON.
func (m *Model) MarshalJSON() ([]byte, error) { return nil, errJSON }

// UnmarshalJSON returns an error, as MarshalJSON does.
func (m *Model) UnmarshalJSON([]byte) error { return errJSON }

func (m *Model) model() *Model { return m }

type model interface{ model() *Model }

// Of returns the Model that m embeds, nil if m is of another library.
func Of(m any) *Model {
	if e, ok := m.(model); ok {
		return e.model()
	}
	return nil
}

// SetSchema gives a model that is not in use yet its Schema.
func SetSchema(m *Model, s *mlcore.Schema) { m.schema = s }

// IgnoreUnknown lets the Schema of a model that is not in use yet say that it ignores
// unknown categories in the given columns, but where the Dataset that it was fitted to
// says what becomes of them.
func IgnoreUnknown(m model, columns ...int) {
	s := m.model().schema
	if s == nil {
		return
	}
	for _, j := range columns {
		if c := &s.Columns[j]; c.Unknown == mlcore.UnknownError {
			c.Unknown = mlcore.UnknownIgnore
		}
	}
}

// Made passes on what a function of the caller's that fits a model returned, and makes
// an error of neither a model nor an error.
func Made[M any](m M, err error) (M, error) {
	if err == nil && given.IsNil(m) {
		err = fmt.Errorf("%w: the learner returned neither a model nor an error", mlcore.ErrConfig)
	}
	return m, err
}

// Like gives a model that was made of another, such as a pruned tree, its Schema.
func Like[M model](from model, m M) M {
	m.model().schema = from.model().schema
	return m
}
