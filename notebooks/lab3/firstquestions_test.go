package lab3

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore/plotx"
)

func TestFirstQuestions(t *testing.T) {
	ask := func(feature int, at float64) *Tree {
		return &Tree{Feature: feature, Thresh: at, Below: &Tree{}, Above: &Tree{}}
	}
	panels, err := FirstQuestions([]*Tree{ask(0, 1), ask(1, 2), ask(1, 3), {}}, []string{"a", "b"})
	if err != nil || len(panels) != 2 {
		t.Fatalf("%d panels, %v", len(panels), err)
	}
	for _, p := range panels {
		if p := p.(*plotx.Panel); p.Y.Label.Text != "trees" {
			t.Errorf("the axis says %q", p.Y.Label.Text)
		}
	}
	if _, err := FirstQuestions([]*Tree{{}}, []string{"a"}); err == nil {
		t.Error("no error where there is no question")
	}
}
