package pdf

import (
	"fmt"
	"math"
	"strings"
	"sync"

	"codeberg.org/go-fonts/latin-modern/lmroman10regular"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// Page numbers, in the middle of the lower margin.
const (
	numberSize   = 9.5 // points
	numberHeight = 34  // points above the lower edge of the page
	numberGray   = 0.33
	numberFont   = "PageNumber" // its name among a page's resources
)

// numbers writes a number on each page: small Roman ones in front, of which the first
// is not shown, then 1, 2, 3 and so on. Viewers show the same ones.
func (b *binder) numbers() error {
	typeface, err := b.numberTypeface()
	if err != nil {
		return err
	}
	// What a page draws may leave the coordinates turned and scaled.
	begin, err := b.stream("q\n")
	if err != nil {
		return err
	}
	first := 0
	for _, p := range b.parts {
		for i, ref := range p.pages {
			page, err := b.ctx.DereferenceDict(ref)
			if err != nil {
				return err
			}
			number := fmt.Sprint(first + i + 1)
			if p.Part == b.Front {
				if i == 0 {
					continue
				}
				number = roman(i + 1)
			}
			if err := b.number(page, number, *begin, *typeface); err != nil {
				return err
			}
		}
		if p.Part != b.Front {
			first += len(p.pages)
		}
	}
	if b.Front != nil {
		b.root["PageLabels"] = types.Dict{"Nums": types.Array{
			types.Integer(0), types.Dict{"S": types.Name("r")},
			types.Integer(len(b.parts[0].pages)), types.Dict{"S": types.Name("D")},
		}}
	}
	return nil
}

// number writes a number on a page, as a mark that is none of its text.
func (b *binder) number(page types.Dict, number string, begin, typeface types.IndirectRef) error {
	edges, err := mediaBox(b.ctx, page)
	if err != nil {
		return err
	}
	x := (edges[0] + edges[2] - textWidth(number)*numberSize/1000) / 2
	end, err := b.stream(fmt.Sprintf("\nQ /Artifact <</Type /Pagination /Subtype /Footer>> BDC q %.2f g BT /%s %.1f Tf %.2f %.2f Td (%s) Tj ET Q EMC\n",
		numberGray, numberFont, numberSize, x, edges[1]+numberHeight, number))
	if err != nil {
		return err
	}
	drawn, err := b.ctx.Dereference(page["Contents"])
	if err != nil {
		return err
	}
	contents := types.Array{begin}
	if list, ok := drawn.(types.Array); ok {
		contents = append(contents, list...)
	} else if drawn != nil {
		contents = append(contents, page["Contents"])
	}
	page["Contents"] = append(contents, *end)

	resources, err := b.ctx.DereferenceDict(page["Resources"])
	if err != nil {
		return err
	}
	if resources == nil {
		resources = types.Dict{}
		page["Resources"] = resources
	}
	fonts, err := b.ctx.DereferenceDict(resources["Font"])
	if err != nil {
		return err
	}
	if fonts == nil {
		fonts = types.Dict{}
		resources["Font"] = fonts
	}
	fonts[numberFont] = typeface
	return nil
}

// stream is a new stream of the document.
func (b *binder) stream(s string) (*types.IndirectRef, error) {
	d, err := b.ctx.NewStreamDictForBuf([]byte(s))
	if err != nil {
		return nil, err
	}
	if err := d.Encode(); err != nil {
		return nil, err
	}
	return b.ctx.IndRefForNewObject(*d)
}

// roman is a number in small Roman numerals.
func roman(n int) string {
	var b strings.Builder
	for _, r := range []struct {
		value int
		text  string
	}{{100, "c"}, {90, "xc"}, {50, "l"}, {40, "xl"}, {10, "x"}, {9, "ix"}, {5, "v"}, {4, "iv"}, {1, "i"}} {
		for ; n >= r.value; n -= r.value {
			b.WriteString(r.text)
		}
	}
	return b.String()
}

// numerals are the characters of page numbers, with their names in PDF.
var numerals = []struct {
	char rune
	name string
}{
	{'0', "zero"}, {'1', "one"}, {'2', "two"}, {'3', "three"}, {'4', "four"}, {'5', "five"}, {'6', "six"}, {'7', "seven"}, {'8', "eight"}, {'9', "nine"},
	{'c', "c"}, {'i', "i"}, {'l', "l"}, {'v', "v"}, {'x', "x"},
}

// A glyph is a character of the text's own font, in thousandths of its size.
type glyph struct {
	width float64
	draw  string // as PDF draws it
}

// glyphs draws the numerals in Latin Modern Roman.
var glyphs = sync.OnceValues(func() (map[rune]glyph, error) {
	face, err := sfnt.Parse(lmroman10regular.TTF)
	if err != nil {
		return nil, err
	}
	em := fixed.I(1000)
	var buf sfnt.Buffer
	drawn := map[rune]glyph{}
	for _, n := range numerals {
		index, err := face.GlyphIndex(&buf, n.char)
		if err != nil {
			return nil, err
		}
		width, err := face.GlyphAdvance(&buf, index, em, font.HintingNone)
		if err != nil {
			return nil, err
		}
		segments, err := face.LoadGlyph(&buf, index, em, nil)
		if err != nil {
			return nil, err
		}
		drawn[n.char] = glyph{float64(width) / 64, path1000(segments)}
	}
	return drawn, nil
})

// path1000 is an outline as operators of PDF. Fonts measure downwards, PDF upwards.
func path1000(segments sfnt.Segments) string {
	var b strings.Builder
	at := func(p fixed.Point26_6) (x, y float64) { return float64(p.X) / 64, -float64(p.Y) / 64 }
	var x, y float64
	for _, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			x, y = at(s.Args[0])
			fmt.Fprintf(&b, "%.1f %.1f m\n", x, y)
		case sfnt.SegmentOpLineTo:
			x, y = at(s.Args[0])
			fmt.Fprintf(&b, "%.1f %.1f l\n", x, y)
		case sfnt.SegmentOpQuadTo:
			// PDF knows cubic curves only.
			cx, cy := at(s.Args[0])
			ex, ey := at(s.Args[1])
			fmt.Fprintf(&b, "%.1f %.1f %.1f %.1f %.1f %.1f c\n", (x+2*cx)/3, (y+2*cy)/3, (ex+2*cx)/3, (ey+2*cy)/3, ex, ey)
			x, y = ex, ey
		case sfnt.SegmentOpCubeTo:
			ax, ay := at(s.Args[0])
			bx, by := at(s.Args[1])
			x, y = at(s.Args[2])
			fmt.Fprintf(&b, "%.1f %.1f %.1f %.1f %.1f %.1f c\n", ax, ay, bx, by, x, y)
		}
	}
	b.WriteString("f\n")
	return b.String()
}

// textWidth is how wide a number is, in thousandths of the size of its font.
func textWidth(number string) float64 {
	drawn, err := glyphs()
	if err != nil {
		return 0
	}
	width := 0.0
	for _, c := range number {
		width += drawn[c].width
	}
	return width
}

// numberTypeface is a font of the numerals alone (ISO 32000-1, 9.6.5): a viewer needs
// no font of its own, and none is embedded whole for ten digits.
func (b *binder) numberTypeface() (*types.IndirectRef, error) {
	drawn, err := glyphs()
	if err != nil {
		return nil, err
	}
	first, last := numerals[0].char, numerals[0].char
	for _, n := range numerals {
		first, last = min(first, n.char), max(last, n.char)
	}
	widths := make(types.Array, last-first+1)
	for i := range widths {
		widths[i] = types.Integer(0)
	}
	procedures := types.Dict{}
	var differences types.Array
	for _, n := range numerals {
		g := drawn[n.char]
		ref, err := b.stream(fmt.Sprintf("%.0f 0 0 -250 %.0f 750 d1\n%s", g.width, math.Ceil(g.width), g.draw))
		if err != nil {
			return nil, err
		}
		procedures[n.name] = *ref
		widths[n.char-first] = types.Float(g.width)
		differences = append(differences, types.Integer(n.char), types.Name(n.name))
	}
	return b.ctx.IndRefForNewObject(types.Dict{
		"Type": types.Name("Font"), "Subtype": types.Name("Type3"), "Name": types.Name(numberFont),
		"FontBBox":   types.NewNumberArray(0, -250, 1000, 750),
		"FontMatrix": types.NewNumberArray(0.001, 0, 0, 0.001, 0, 0),
		"CharProcs":  procedures, "Resources": types.Dict{},
		"Encoding":  types.Dict{"Type": types.Name("Encoding"), "Differences": differences},
		"FirstChar": types.Integer(first), "LastChar": types.Integer(last), "Widths": widths,
	})
}
