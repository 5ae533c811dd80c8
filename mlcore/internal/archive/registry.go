package archive

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/mllabs-go/mllabs/mlcore"
)

// kind is a type of model that can be written and read.
type kind struct {
	name    string
	version int
	fresh   func() any // a pointer to an empty model
	fields  func(c *Coder, m any)
}

// registry is only looked up, never ranged over on the way to a result.
var registry = struct {
	sync.RWMutex
	byName map[string]*kind
	byType map[reflect.Type]*kind
}{byName: map[string]*kind{}, byType: map[reflect.Type]*kind{}}

// Register makes *M a kind of model. name is the package and the type, as in
// "linear.Ridge", and never changes again, also where the Go type does. fields
// names the fields of a model to a Coder; what it reads, it checks. version counts
// the changes of the fields: it begins at 1, and fields can read all versions up to
// the current one.
//
// It panics if the name or the type is registered already. The result is true, for
// use in a declaration.
func Register[M any](name string, version int, fields func(c *Coder, m *M)) bool {
	register(reflect.TypeFor[*M](), &kind{
		name: name, version: version,
		fresh:  func() any { return new(M) },
		fields: func(c *Coder, m any) { fields(c, m.(*M)) },
	})
	return true
}

func register(t reflect.Type, k *kind) {
	registry.Lock()
	defer registry.Unlock()
	if _, taken := registry.byName[k.name]; taken {
		panic(fmt.Sprintf("archive: kind %q is registered twice", k.name))
	}
	if other, taken := registry.byType[t]; taken {
		panic(fmt.Sprintf("archive: %v is registered as %q and as %q", t, other.name, k.name))
	}
	registry.byName[k.name], registry.byType[t] = k, k
}

func kindOf(m any) (*kind, error) {
	registry.RLock()
	defer registry.RUnlock()
	k := registry.byType[reflect.TypeOf(m)]
	if k == nil {
		return nil, fmt.Errorf("%w: a %T cannot be saved: modelfile.Register was not called for its type", mlcore.ErrConfig, m)
	}
	return k, nil
}

func kindNamed(name string) (*kind, error) {
	registry.RLock()
	defer registry.RUnlock()
	k := registry.byName[name]
	if k == nil {
		return nil, fmt.Errorf("%w: %q; %s", mlcore.ErrKind, name, advice(name))
	}
	return k, nil
}

// all is the package that registers every kind of the library.
const all = "github.com/mllabs-go/mllabs/mlcore/all"

// advice says which package to import so that a kind becomes known.
func advice(name string) string {
	if i := strings.LastIndex(name, "."); i > 0 && strings.Contains(name[:i], "/") {
		return fmt.Sprintf("import _ %q, whose package registers it", name[:i])
	}
	return fmt.Sprintf("import _ %q, which registers every kind of this library; a kind that is unknown even then is of a newer one, or of a package that calls modelfile.Register", all)
}

// Kinds returns the names of all registered kinds, ascending.
func Kinds() []string {
	registry.RLock()
	defer registry.RUnlock()
	return slices.Sorted(maps.Keys(registry.byName))
}
