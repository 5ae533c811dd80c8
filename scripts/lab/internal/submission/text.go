package submission

import (
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// A Text is a written answer. Code is one too, where the task asks for a figure.
type Text struct {
	Source   string             `json:"source"`             // markdown, or Go
	Pictures []notebook.Picture `json:"pictures,omitempty"` // attached, or what code drew
	// Cut says that not all of it is here: it was longer than maxText, or had more or larger
	// pictures than are shown.
	Cut bool `json:"cut,omitempty"`
}

const (
	maxText     = 20_000 // bytes of one written answer, about ten pages
	maxPictures = 4
	maxPicture  = 2 << 20 // bytes
)

// texts takes the written answers: the cells with the ids of the worked ones, and those of
// the same kind that students have added below; else, where ids were lost, the first cell
// after the one that asks.
func (c *Course) texts(handed *notebook.Notebook) map[string]Text {
	found := map[string]Text{}
	for _, t := range c.tasks {
		worked := c.worked.Cells[t.Answer]
		var cells []*notebook.Cell
		if i := slices.IndexFunc(handed.Cells, func(h *notebook.Cell) bool { return h.ID == worked.ID }); i >= 0 {
			cells = append(cells, handed.Cells[i])
			for _, more := range handed.Cells[i+1:] {
				if c.ids[more.ID] {
					break
				}
				if more.Type == worked.Type {
					cells = append(cells, more)
				}
			}
		} else if i := c.after(t, handed); i >= 0 {
			cells = append(cells, handed.Cells[i])
		}
		cells = slices.DeleteFunc(cells, func(h *notebook.Cell) bool { return exercise.Unanswered(h.Source) })
		if len(cells) > 0 {
			found[worked.ID] = textOf(cells)
		}
	}
	return found
}

// after is the index of the cell of the answer's kind that comes first after the text that
// sets a task, -1 if there is none or it is another cell of the course's.
func (c *Course) after(t exercise.Task, handed *notebook.Notebook) int {
	heading, _, _ := strings.Cut(c.worked.Cells[t.Text].Source, "\n")
	asked := false
	for i, h := range handed.Cells {
		switch {
		case c.ids[h.ID]:
			asked = asked && h.Type != "markdown" || h.ID == c.worked.Cells[t.Text].ID
		case h.Type == "markdown" && strings.HasPrefix(h.Source, heading):
			asked = true
		case asked && h.Type == c.worked.Cells[t.Answer].Type:
			return i
		}
	}
	return -1
}

func textOf(cells []*notebook.Cell) Text {
	var t Text
	var sources []string
	for _, cell := range cells {
		sources = append(sources, cell.Source)
		pictures, cut := cell.Pictures(maxPictures-len(t.Pictures), maxPicture)
		t.Pictures, t.Cut = append(t.Pictures, pictures...), t.Cut || cut
	}
	if t.Source = strings.Join(sources, "\n\n"); len(t.Source) > maxText {
		t.Source, t.Cut = strings.ToValidUTF8(t.Source[:maxText], ""), true
	}
	return t
}
