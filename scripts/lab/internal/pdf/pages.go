package pdf

import (
	"bytes"
	"regexp"
	"strconv"
)

var (
	objectStart = regexp.MustCompile(`(?:^|\n)(\d+) 0 obj\n<<`)
	kids        = regexp.MustCompile(`/Kids \[([0-9 R\n]*)\]`)
	reference   = regexp.MustCompile(`(\d+) 0 R`)
	named       = regexp.MustCompile(`/([^\s/\[\]<>()]+) \[(\d+) 0 R /XYZ`)
)

// Pages returns the number of pages of a PDF that Chromium printed, and for each
// anchor that something in it links to the page, from 1, where it stands.
//
// It reads just as much of the format as Chromium writes: plain objects, a tree
// of pages and a dictionary of named destinations.
func Pages(pdf []byte) (n int, anchors map[string]int) {
	objects := map[int][]byte{}
	for rest := pdf; ; {
		m := objectStart.FindSubmatchIndex(rest)
		if m == nil {
			break
		}
		id, _ := strconv.Atoi(string(rest[m[2]:m[3]]))
		rest = rest[m[3]:]
		end := bytes.Index(rest, []byte("endobj"))
		if end < 0 {
			break
		}
		// What a stream holds may look like anything, also like an object.
		if stream := bytes.Index(rest[:end], []byte("stream\n")); stream >= 0 {
			end = stream
			objects[id] = rest[:end]
			if n := bytes.Index(rest, []byte("endstream")); n >= 0 {
				end = n
			}
		} else {
			objects[id] = rest[:end]
		}
		rest = rest[end:]
	}
	number := map[int]int{}
	var walk func(id, depth int)
	walk = func(id, depth int) {
		body, ok := objects[id]
		if !ok || depth > 50 {
			return
		}
		if m := kids.FindSubmatch(body); m != nil {
			for _, r := range reference.FindAllSubmatch(m[1], -1) {
				kid, _ := strconv.Atoi(string(r[1]))
				walk(kid, depth+1)
			}
			return
		}
		n++
		number[id] = n
	}
	for id, body := range objects {
		if bytes.Contains(body, []byte("/Type /Pages")) && !bytes.Contains(body, []byte("/Parent ")) {
			walk(id, 0)
		}
	}
	anchors = map[string]int{}
	for _, body := range objects {
		for _, m := range named.FindAllSubmatch(body, -1) {
			id, _ := strconv.Atoi(string(m[2]))
			if page := number[id]; page > 0 {
				anchors[string(m[1])] = page
			}
		}
	}
	return n, anchors
}
