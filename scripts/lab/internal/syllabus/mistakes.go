package syllabus

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
)

// Mistakes is the page of what students get wrong. labs are in reading order.
func Mistakes(command string, labs []Lab) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# What students get wrong\n\nThis page is for instructors, because it gives answers away. `%s` writes it from the catalogues\nof mistakes; a check shows each sentence as a hint when it recognises the mistake.\n", command)
	for _, l := range labs {
		if l.Catalogue == nil {
			continue
		}
		exercises, _ := exercise.Find(l.Worked) // Page reports problems
		fmt.Fprintf(&b, "\n## %s\n", l.link())
		for _, e := range exercises {
			fmt.Fprintf(&b, "\nExercise %d, %s:\n\n", e.Number, e.Title)
			for _, body := range l.Catalogue.Of(e.Number) {
				if !body.Right {
					fmt.Fprintf(&b, "- %s\n", mistake(body.Says))
				}
			}
		}
	}
	return b.String()
}

// mistake is what the catalogue says to a student, as a sentence. Where it begins with a
// variable, that is marked as code, because k and K are two.
func mistake(says string) string {
	rest := strings.TrimPrefix(says, "This is what one gets when ")
	if name, _, _ := strings.Cut(rest, " "); len(name) == 1 && name != "a" && name >= "A" {
		return "`" + name + "`" + rest[1:]
	}
	first, size := utf8.DecodeRuneInString(rest)
	if first > unicode.MaxASCII { // β is another symbol than Β
		return rest
	}
	return strings.ToUpper(rest[:size]) + rest[size:]
}
