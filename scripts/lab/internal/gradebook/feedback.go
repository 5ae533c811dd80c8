package gradebook

import (
	"bytes"
	_ "embed"
	"fmt"
	"hash/crc32"
	"html/template"
	"regexp"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/grade"
)

//go:embed feedback.html
var feedbackSource string

var feedback = template.Must(template.New("feedback").Funcs(template.FuncMap{
	"number":  number,
	"visible": visible,
	"hidden":  hidden,
	"mark":    mark,
	"points":  points,
	"title":   title,
}).Parse(feedbackSource))

// Feedback is a page for the student that needs nothing else: points, the cases that
// failed and why, and which known mistake it looks like. Of hidden cases it says how many
// passed and no more: no name, no number, no source. What the answer printed is not shown,
// because it may have printed what hidden cases called it with.
func (s Student) Feedback() ([]byte, error) {
	var b bytes.Buffer
	err := feedback.Execute(&b, s)
	return b.Bytes(), err
}

var inlineCode = regexp.MustCompile("`([^`]+)`")

// title is a heading of a notebook, whose markdown has code in it.
func title(s string) template.HTML {
	return template.HTML(inlineCode.ReplaceAllString(template.HTMLEscapeString(s), "<code>$1</code>"))
}

// visible are the cases that the student's copy has.
func visible(cases []grade.Case) (list []grade.Case) {
	for _, c := range cases {
		if !c.Hidden {
			list = append(list, c)
		}
	}
	return list
}

// hidden says how the other cases went, "" where there are none.
func hidden(cases []grade.Case) string {
	passed, of := 0, 0
	for _, c := range cases {
		if c.Hidden {
			of++
			if c.Passed {
				passed++
			}
		}
	}
	switch {
	case of == 0:
		return ""
	case of == 1 && passed == 1:
		return "The one case that your copy does not show passed as well."
	case of == 1:
		return "The one case that your copy does not show did not pass. It tries the same rules on other values."
	case passed == of:
		return fmt.Sprintf("The %d cases that your copy does not show passed as well.", of)
	}
	return fmt.Sprintf("Of the %d cases that your copy does not show, %d passed. They try the same rules on other values.", of, passed)
}

func mark(passed bool) string {
	if passed {
		return "✓"
	}
	return "✗"
}

func points(v float64) string {
	if v == 1 {
		return "1 point"
	}
	return number(v) + " points"
}

// FileNames are names for a file of each student, without the end: what is left of the
// student's name, and the id or a number made of the name where two would be the same.
func (b *Book) FileNames() []string {
	names, times := make([]string, len(b.Students)), map[string]int{}
	for i, s := range b.Students {
		names[i] = fileName(s.Name)
		times[strings.ToLower(names[i])]++
	}
	taken := map[string]bool{}
	for i, s := range b.Students {
		if times[strings.ToLower(names[i])] > 1 || names[i] == "" {
			names[i] = strings.Trim(fmt.Sprintf("%s-%s", names[i], fileName(s.ID)), "-")
		}
		for n := 0; names[i] == "" || taken[strings.ToLower(names[i])]; n++ {
			names[i] = strings.Trim(fmt.Sprintf("%s-%08x", fileName(s.Name), crc32.ChecksumIEEE(fmt.Appendf(nil, "%s\x00%s\x00%d", s.Name, s.ID, n))), "-")
		}
		taken[strings.ToLower(names[i])] = true
	}
	return names
}

// reserved are names that Windows does not give to files.
const reserved = " con prn aux nul com1 com2 com3 com4 com5 com6 com7 com8 com9 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9 "

func fileName(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r >= 0xC0 && r < 0x250:
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
		if b.Len() >= 60 {
			break
		}
	}
	name := strings.TrimRight(b.String(), "_")
	if strings.Contains(reserved, " "+strings.ToLower(name)+" ") && name != "" {
		return name + "_"
	}
	return name
}
