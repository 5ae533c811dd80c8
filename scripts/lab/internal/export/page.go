package export

import (
	"context"
	"html"
	"path"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// A Source is a notebook to be exported.
type Source struct {
	// Course and Topic are its name; a page is written to Course/Topic.html, or to
	// Topic.html where there is no course.
	Course, Topic string
	Notebook      *notebook.Notebook
	// Copy says that it is the copy that students work in: its links start from the
	// folder of the copies.
	Copy bool
	// Folder is the notebook's folder and Root the project's: pictures that
	// markdown refers to are looked for there.
	Folder, Root string
	// Note is shown below the title, such as why outputs are old.
	Note string
	// Edition is for whom the page is.
	Edition Edition
	// Anchors are shared by the notebooks of a project; nil: each reads those that it
	// links to.
	Anchors *Anchors
}

func (s Source) name() string { return path.Join(s.folder(), s.Topic) }

// folder is where the notebook's links start from, below the notebooks of the project.
func (s Source) folder() string {
	if s.Copy {
		return path.Join(s.Course, project.Exercises)
	}
	return s.Course
}

// besideWorked is the path of a copy without the folder of the copies: its page stands
// where that of the worked notebook would.
func (s Source) besideWorked(target string) string {
	folder, file := path.Split(target)
	if s.Copy && path.Base(folder) == project.Exercises {
		folder = path.Dir(path.Clean(folder))
	}
	return path.Join(folder, file)
}

// A Page is a complete HTML document.
type Page struct {
	Title string
	HTML  []byte
	// Warnings tell what was left out or not understood.
	Warnings []string
}

// Single renders a notebook as a page of its own. Its one error is the end of ctx.
func Single(ctx context.Context, s Source) (*Page, error) {
	c, err := htmlChapter(ctx, s, "", func(target, fragment string) string {
		if target == s.name()+".ipynb" && fragment != "" {
			return "#" + fragment
		}
		return pageOf(s, target, fragment, ".html")
	})
	if err != nil {
		return nil, err
	}
	return &Page{Title: c.title, Warnings: c.warnings, HTML: document(c.title, c.html)}, nil
}

// pageOf is where the page of another notebook, with the ending that is given, stands as
// seen from a notebook's own.
func pageOf(s Source, target, fragment, ending string) string {
	page := strings.TrimSuffix(s.besideWorked(target), ".ipynb") + ending
	if rest, ok := strings.CutPrefix(page, s.Course+"/"); ok {
		page = rest
	} else if s.Course != "" {
		page = "../" + page
	}
	if fragment != "" {
		page += "#" + fragment
	}
	return page
}

// contentPolicy forbids a page to run a script or to ask for anything.
const contentPolicy = "default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

// document wraps a body into a page that needs no other file. Whatever the body
// was made of, the page holds only what pagePolicy allows.
func document(title, body string) []byte {
	return []byte(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="` + contentPolicy + `">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="mllabs lab reports">
<title>` + html.EscapeString(title) + `</title>
<style>
` + styles() + `</style>
</head>
<body>
<main>
` + pagePolicy().Sanitize(body) + `</main>
</body>
</html>
`)
}
