package browser

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// recordedIn is the folder of the answers that package peers got from Python, each named by
// the key of its question: in COURSE/TOPIC those to what the students' copy of a notebook
// asks, with its exercises undone, and in COURSE/TOPIC/worked those that the worked notebook
// alone asks for. These may give a solution's result away, so no site has them.
//
// TestRecordedAnswers and, for the others, TestNotebook with -record write what is missing.
const recordedIn = "notebooks/peers/recorded"

// recorded puts the answers to what students' copies ask into the store.
func (b *builder) recorded() (map[string]File, error) {
	answers := map[string]File{}
	for _, name := range b.notebooks {
		dir := filepath.Join(b.root, filepath.FromSlash(recordedIn), filepath.FromSlash(name))
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, e := range entries {
			key, isAnswer := strings.CutSuffix(e.Name(), ".txt")
			if !isAnswer {
				continue
			}
			text, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err == nil {
				answers[key], err = b.store().put("recorded.txt", text)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return answers, nil
}
