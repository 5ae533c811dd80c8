package notebook

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
)

// Oracle: the cells are written so that their pictures can be counted.
func TestPictures(t *testing.T) {
	const cell = `{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "code", "execution_count": null, "id": "a", "metadata": {}, "source": "", %s}]}`
	png, large := base64.StdEncoding.EncodeToString([]byte("PNG")), base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", 11)))
	output := func(data string) string {
		return `"outputs": [{"output_type": "display_data", "metadata": {}, "data": {` + data + `}}]`
	}
	for _, c := range []struct {
		name, json string
		want       string // types and bytes
		cut        bool
	}{
		{"none", `"outputs": []`, "", false},
		{"an output", output(`"image/png": "` + png + `"`), "image/png PNG", false},
		{"in lines", output(`"image/png": ["` + png[:2] + `\n", "` + png[2:] + `\n"]`), "image/png PNG", false},
		{"beside others", output(`"text/html": "<p>", "image/jpeg": "` + png + `", "text/plain": "x"`), "image/jpeg PNG", false},
		{"attached", `"outputs": [], "attachments": {"x.png": {"image/png": "` + png + `"}, "y": {"image/jpeg": "` + png + `"}}`, "image/png PNG image/jpeg PNG", false},
		{"the word as a value", output(`"text/plain": "image/png", "text/html": "` + png + `"`), "", false},
		{"no picture", output(`"image/png": "!"`), "", false},
		{"empty", output(`"image/png": ""`), "", false},
		{"one that can hold a script", output(`"image/svg+xml": "<svg/>"`), "", false},
		{"too large", output(`"image/png": "` + large + `"`), "", true},
		{"too many", `"outputs": [], "attachments": {"a": {"image/png": "` + png + `"}, "b": {"image/png": "` + png + `"}, "c": {"image/png": "` + png + `"}}`, "image/png PNG image/png PNG", true},
	} {
		file := []byte(fmt.Sprintf(cell, c.json))
		whole, err := Parse(file)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		sources, err := ParseSources(file)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		for _, nb := range []*Notebook{whole, sources} {
			list, cut := nb.Cells[0].Pictures(2, 10)
			var got []string
			for _, p := range list {
				got = append(got, p.Type+" "+string(p.Data))
			}
			if strings.Join(got, " ") != c.want || cut != c.cut {
				t.Errorf("%s: %v, cut %v", c.name, got, cut)
			}
		}
	}
}
