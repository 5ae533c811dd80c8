package exercise

import (
	"fmt"
	"regexp"
	"strings"
)

// hintLead begins a paragraph that is a hint. One exercise may have several, each of
// which says more: the idea, then the call that helps, then the shape of the loop.
var hintLead = regexp.MustCompile(`(?m)^\*\*Hint\.\*\*[ \t]*`)

// foldHints puts the hints at the end of a text behind lines that unfold them, each one
// inside the one before: who needs the idea alone does not see the rest.
func foldHints(source string) string {
	starts := hintLead.FindAllStringIndex(source, -1)
	if len(starts) == 0 {
		return source
	}
	var b strings.Builder
	b.WriteString(source[:starts[0][0]])
	for i, at := range starts {
		end, title := len(source), "Hint"
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		if len(starts) > 1 {
			title = fmt.Sprintf("Hint %d of %d", i+1, len(starts))
		}
		// Markdown inside HTML needs empty lines around it.
		fmt.Fprintf(&b, "<details>\n<summary>%s</summary>\n\n%s\n\n", title, strings.TrimSpace(source[at[1]:end]))
	}
	b.WriteString(strings.Repeat("</details>\n", len(starts)))
	return strings.TrimSuffix(b.String(), "\n")
}
