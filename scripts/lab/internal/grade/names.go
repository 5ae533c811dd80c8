package grade

import (
	"fmt"
	"slices"
)

// MarshalText writes the state by its name.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the name of a state.
func (s *State) UnmarshalText(b []byte) error {
	i := slices.Index(states[:], string(b))
	if i < 0 {
		return fmt.Errorf("there is no state %q", b)
	}
	*s = State(i)
	return nil
}

var withNames = [...]string{"own", "reference"}

// MarshalText writes whose answers counted: own or reference.
func (w With) MarshalText() ([]byte, error) { return []byte(withNames[w]), nil }

// UnmarshalText reads whose answers counted.
func (w *With) UnmarshalText(b []byte) error {
	i := slices.Index(withNames[:], string(b))
	if i < 0 {
		return fmt.Errorf("%q is neither own nor reference", b)
	}
	*w = With(i)
	return nil
}
