package notebook

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	_ "image/png" // figures
	"regexp"
	"slices"
	"sort"
	"strings"
)

// A Problem is something wrong with a notebook, in words that say what to do.
type Problem struct {
	Cell int    // index from 0; -1: the notebook as a whole
	ID   string // of the cell
	Text string
	// Warning marks what should be better but fails nothing.
	Warning bool
}

func (p Problem) String() string {
	if p.Cell < 0 {
		return p.Text
	}
	return fmt.Sprintf("cell %d (id %s): %s", p.Cell+1, p.ID, p.Text)
}

// Compare lists where the outputs of a fresh run differ from the committed ones.
// Text must be equal, pictures equal in every pixel; of a cell with the tag
// volatile only the kinds of outputs are compared.
func Compare(committed, fresh *Notebook) []Problem {
	var ps []Problem
	if len(committed.Cells) != len(fresh.Cells) {
		return []Problem{{Cell: -1, Text: fmt.Sprintf("the run has %d cells, the notebook %d", len(fresh.Cells), len(committed.Cells))}}
	}
	for i, c := range committed.Cells {
		f := fresh.Cells[i]
		if c.Type != "code" {
			continue
		}
		var d string
		if c.HasTag(TagVolatile) {
			if a, b := kinds(c), kinds(f); !slices.Equal(a, b) {
				d = fmt.Sprintf("kinds of outputs are %v, were %v", b, a)
			}
		} else {
			d = outputsDiffer(c.Outputs, f.Outputs)
		}
		if d != "" {
			ps = append(ps, Problem{Cell: i, ID: c.ID, Text: d + "; if the new outputs are right, run the notebook again and commit it, or tag the cell volatile if they change from run to run"})
		}
	}
	return ps
}

// kinds lists the kinds of a cell's outputs, without repeats of text streams.
func kinds(c *Cell) []string {
	var ks []string
	for _, o := range c.Outputs {
		k := o.Type
		switch o.Type {
		case "stream":
			k = o.Name
		case "display_data", "execute_result":
			k = strings.Join(mimes(o), "+")
			if kind := o.Kind(); kind != "" {
				k = kind
			}
		}
		if n := len(ks); o.Type != "stream" || n == 0 || ks[n-1] != k {
			ks = append(ks, k)
		}
	}
	return ks
}

// Kind is what nbkit says the output is: "figure", "table", "check",
// "check-failed", "progress", "error", or "" for others.
func (o *Output) Kind() string {
	k, _ := o.Metadata["mllabs"].(string)
	return k
}

func mimes(o *Output) []string {
	var ms []string
	for m := range o.Data {
		ms = append(ms, m)
	}
	sort.Strings(ms)
	return ms
}

func outputsDiffer(old, new []*Output) string {
	if len(old) != len(new) {
		return fmt.Sprintf("%d outputs, were %d", len(new), len(old))
	}
	for i := range old {
		if d := outputDiffers(old[i], new[i]); d != "" {
			if len(old) > 1 {
				return fmt.Sprintf("output %d: %s", i+1, d)
			}
			return d
		}
	}
	return ""
}

func outputDiffers(a, b *Output) string {
	switch {
	case a.Type != b.Type || a.Name != b.Name:
		return fmt.Sprintf("is a %s %s, was a %s %s", b.Type, b.Name, a.Type, a.Name)
	case a.Type == "stream":
		return textDiffers(a.Text, b.Text)
	case a.Type == "error":
		if a.EName != b.EName || a.EValue != b.EValue {
			return fmt.Sprintf("error is now %q, was %q", b.EValue, a.EValue)
		}
		return ""
	case a.Kind() != b.Kind():
		return fmt.Sprintf("is a %s, was a %s", b.Kind(), a.Kind())
	}
	if x, y := mimes(a), mimes(b); !slices.Equal(x, y) {
		return fmt.Sprintf("comes as %v, came as %v", y, x)
	}
	for _, m := range mimes(a) {
		x, xok := a.Data[m].(string)
		y, yok := b.Data[m].(string)
		if !xok || !yok {
			if fmt.Sprint(a.Data[m]) != fmt.Sprint(b.Data[m]) {
				return m + " differs"
			}
			continue
		}
		switch {
		case m == "image/png":
			if !samePicture(x, y) {
				return "the picture differs"
			}
		case m == "text/html":
			if d := htmlDiffers(x, y); d != "" {
				return d
			}
		default:
			if d := textDiffers(x, y); d != "" {
				return d
			}
		}
	}
	return ""
}

// textDiffers shows the first line that differs.
func textDiffers(old, new string) string {
	if old == new {
		return ""
	}
	a, b := strings.Split(old, "\n"), strings.Split(new, "\n")
	for i := range max(len(a), len(b)) {
		x, y := "(nothing)", "(nothing)"
		if i < len(a) {
			x = clip(a[i])
		}
		if i < len(b) {
			y = clip(b[i])
		}
		if x != y {
			return fmt.Sprintf("line %d is now %s, was %s", i+1, y, x)
		}
	}
	return "the text differs"
}

func clip(s string) string {
	if r := []rune(s); len(r) > 100 {
		s = string(r[:100]) + "…"
	}
	return fmt.Sprintf("%q", s)
}

var embeddedPicture = regexp.MustCompile(`data:image/png;base64,[A-Za-z0-9+/=]+`)

func htmlDiffers(a, b string) string {
	pa, pb := embeddedPicture.FindAllString(a, -1), embeddedPicture.FindAllString(b, -1)
	if d := textDiffers(embeddedPicture.ReplaceAllString(a, "picture"), embeddedPicture.ReplaceAllString(b, "picture")); d != "" {
		return "HTML " + d
	}
	for i := range pa {
		const prefix = "data:image/png;base64,"
		if !samePicture(strings.TrimPrefix(pa[i], prefix), strings.TrimPrefix(pb[i], prefix)) {
			return "the picture differs"
		}
	}
	return ""
}

// samePicture compares two base64 PNGs by bytes, then by pixels: encoders may
// compress differently.
func samePicture(a, b string) bool {
	x, err1 := decodeBase64(a)
	y, err2 := decodeBase64(b)
	if err1 != nil || err2 != nil {
		return a == b
	}
	return SamePixels(x, y)
}

// SamePixels says whether two pictures look the same in every pixel.
func SamePixels(x, y []byte) bool {
	if bytes.Equal(x, y) {
		return true
	}
	p, _, err1 := image.Decode(bytes.NewReader(x))
	q, _, err2 := image.Decode(bytes.NewReader(y))
	if err1 != nil || err2 != nil || p.Bounds() != q.Bounds() {
		return false
	}
	for v := p.Bounds().Min.Y; v < p.Bounds().Max.Y; v++ {
		for u := p.Bounds().Min.X; u < p.Bounds().Max.X; u++ {
			r1, g1, b1, a1 := p.At(u, v).RGBA()
			r2, g2, b2, a2 := q.At(u, v).RGBA()
			if r1 != r2 || g1 != g2 || b1 != b2 || a1 != a2 {
				return false
			}
		}
	}
	return true
}

func decodeBase64(s string) ([]byte, error) {
	return base64.StdEncoding.DecodeString(strings.Join(strings.Fields(s), ""))
}

// WithoutPictures is HTML without the bytes of the pictures in it.
func WithoutPictures(page string) string { return embeddedPicture.ReplaceAllString(page, "") }
