package modelfile

import (
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
)

// A Source is a model file that may be replaced, for instance by [Save], while a
// program serves predictions. It is safe for concurrent use. M is as for [Load].
type Source[M any] struct {
	path    string
	loading sync.Mutex
	loaded  atomic.Pointer[version[M]]
}

// A version is a file that was there, and the newest model that could be loaded.
type version[M any] struct {
	file  fs.FileInfo
	model M
	err   error // why that of the file itself could not
}

// Open loads the model of a file; errors are those of [Load].
func Open[M any](path string) (*Source[M], error) {
	// Asked before the file is read: one that takes its place meanwhile is then noticed
	// by the next call of Model.
	file, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	model, err := Load[M](path)
	if err != nil {
		return nil, err
	}
	s := &Source[M]{path: path}
	s.loaded.Store(&version[M]{file: file, model: model})
	return s, nil
}

// Model returns the model of the file. Where another file has taken its place since the
// last call, one caller loads it, and all others get the previous model until that is
// done. If the file cannot be loaded, or is not there, Model returns the last model
// that could be loaded together with the error, so that the error can be reported while
// the program goes on.
func (s *Source[M]) Model() (M, error) {
	now := s.loaded.Load()
	file, err := os.Stat(s.path)
	if err != nil {
		return now.model, err
	}
	if now.of(file) || !s.loading.TryLock() {
		return now.model, now.err
	}
	defer s.loading.Unlock()
	if now = s.loaded.Load(); now.of(file) { // by another caller, meanwhile
		return now.model, now.err
	}
	next := &version[M]{file: file, model: now.model}
	if model, err := Load[M](s.path); err != nil {
		next.err = err
	} else {
		next.model = model
	}
	s.loaded.Store(next)
	return next.model, next.err
}

func (v *version[M]) of(file fs.FileInfo) bool {
	return os.SameFile(v.file, file) && v.file.ModTime().Equal(file.ModTime()) && v.file.Size() == file.Size()
}
