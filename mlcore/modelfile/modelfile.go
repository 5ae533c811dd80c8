package modelfile

import (
	"encoding"
	"fmt"
	"os"
	"strings"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/archive"
	"github.com/mllabs-go/mllabs/mlcore/internal/atomicfile"
)

// Save writes a fitted model to a file, which is replaced as a whole or not at all.
// A model that is not fitted is an error that wraps [mlcore.ErrNotFitted]; one of a
// type that is not registered, and one that takes more memory than a file of its length
// may, are errors that wrap [mlcore.ErrConfig].
func Save(path string, model any) error {
	data, err := Marshal(model)
	if err != nil {
		return fmt.Errorf("saving %s: %w", path, err)
	}
	return atomicfile.Write(path, data)
}

// Load reads a model from a file. M is the type that it has to have: a pointer
// to a model, such as *ensemble.Forest, or an interface, such as
// mlcore.Classifier, or any.
//
// Bytes that are not a whole model, or not of M, are an error that wraps
// [mlcore.ErrCorrupt]; a file of a newer release one that wraps
// [mlcore.ErrVersion]; a kind that no imported package registers one that wraps
// [mlcore.ErrKind] and says which package to import.
func Load[M any](path string) (M, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		var none M
		return none, err
	}
	m, err := Unmarshal[M](data)
	if err != nil {
		return m, fmt.Errorf("loading %s: %w", path, err)
	}
	return m, nil
}

// Marshal returns what [Save] writes to a file.
func Marshal(model any) ([]byte, error) { return archive.Marshal(model) }

// Unmarshal reads what [Marshal] returned; see [Load].
func Unmarshal[M any](data []byte) (M, error) { return archive.Unmarshal[M](data) }

// MarshalJSON returns the model as indented JSON that names every field.
func MarshalJSON(model any) ([]byte, error) { return archive.MarshalJSON(model) }

// UnmarshalJSON reads what [MarshalJSON] returned; see [Load].
func UnmarshalJSON[M any](data []byte) (M, error) { return archive.UnmarshalJSON[M](data) }

// Register lets models of a type of your own be saved, alone or as part of a
// pipeline or an ensemble. Call it from an init function:
//
//	modelfile.Register[Model]("example.org/mymodels.Model")
//
// kind is the import path of your package and a name, and must stay the same as
// long as files have to be readable. The pointer type P has to encode and decode
// itself; UnmarshalBinary has to refuse bytes that are not a model. A kind without
// an import path, or one that is registered already, panics.
func Register[M any, P interface {
	*M
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}](kind string) {
	if i := strings.LastIndex(kind, "."); i < 1 || !strings.Contains(kind[:i], "/") {
		panic(fmt.Sprintf("modelfile: kind %q is no import path and name, as in example.org/mymodels.Model", kind))
	}
	archive.Register(kind, 1, func(c *archive.Coder, m *M) {
		var data []byte
		if !c.Reading() {
			var err error
			if data, err = P(m).MarshalBinary(); err != nil {
				c.Refuse(err)
				return
			}
		}
		c.Bytes("data", &data)
		if c.Reading() {
			if err := P(m).UnmarshalBinary(data); err != nil {
				c.Refuse(fmt.Errorf("%w: %s: %w", mlcore.ErrCorrupt, kind, err))
			}
		}
	})
}
