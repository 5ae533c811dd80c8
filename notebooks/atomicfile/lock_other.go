//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package atomicfile

import (
	"os"

	"github.com/gofrs/flock"
)

type lock = flock.Flock

func lockOf(name string) *lock { return flock.New(name, flock.SetFlag(os.O_RDONLY)) }
