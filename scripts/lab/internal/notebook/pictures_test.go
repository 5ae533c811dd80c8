package notebook

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"strings"
	"testing"
)

// A picture of 8 million pixels a side takes some hundred bytes. Oracle: the size in the
// head of the file.
func TestPicturesOfGigabytes(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	for width, cut := range map[uint32]bool{1: false, 8_000_000: true} {
		data := bytes.Clone(b.Bytes())
		binary.BigEndian.PutUint32(data[16:], width)
		binary.BigEndian.PutUint32(data[20:], width)
		binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
		cell := &Cell{Outputs: []*Output{{Data: map[string]any{"image/png": base64.StdEncoding.EncodeToString(data)}}}}
		if list, got := cell.Pictures(1, 1000); got != cut || (len(list) == 0) != cut {
			t.Errorf("%d pixels a side: %d pictures, cut %v", width, len(list), got)
		}
	}
}

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
