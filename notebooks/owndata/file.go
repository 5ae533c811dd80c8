package owndata

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// write puts a text into a file of the temporary folder and returns its path. Cells run in
// processes of their own, several at a time, so the file is replaced as a whole. Its name
// holds the user's number, because nobody can replace the file of another user.
func write(name, text string) string {
	name = fmt.Sprintf("mllabs-%d-%s", os.Getuid(), name)
	path := filepath.Join(os.TempDir(), name)
	f, err := os.CreateTemp("", "*-"+name)
	if err != nil {
		panic(err)
	}
	_, err = f.WriteString(text)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		panic(err)
	}
	return path
}

// comma writes a number's decimal point as a comma.
func comma(number string) string { return strings.Replace(number, ".", ",", 1) }

// oneOf draws one of the texts.
func oneOf(rng *rand.Rand, texts ...string) string { return texts[rng.IntN(len(texts))] }
