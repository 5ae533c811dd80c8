package syllabus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path"
)

// A Path is the order in which the courses are worked: notebooks/path.json.
type Path struct {
	Courses []Course `json:"courses"`
	Plans   []Plan   `json:"plans"`
}

// A Course is a folder of notebooks, in modules.
type Course struct {
	Folder  string   `json:"folder"`
	Title   string   `json:"title"`
	About   string   `json:"about"` // a sentence
	Modules []Module `json:"modules"`
}

// A Module is a few notebooks about one subject.
type Module struct {
	Title string `json:"title"`
	Steps []Step `json:"steps"`
}

// A Step is a notebook in its module. Notebooks that are neither core nor have a week are
// further reading.
type Step struct {
	Notebook string `json:"notebook"` // its name within the course
	Core     bool   `json:"core,omitempty"`
	Week     int    `json:"week,omitempty"` // of a plan with one sitting of two hours a week, from 1
	Can      string `json:"can,omitempty"`  // what one can do afterwards; core notebooks have it
}

// A Plan mixes the courses, a notebook a week.
type Plan struct {
	Title string   `json:"title"`
	Weeks []string `json:"weeks"` // names such as "lab3/01_nearest_neighbours"
}

// ReadPath reads a path. Errors name the file.
func ReadPath(file string) (Path, error) {
	var p Path
	b, err := os.ReadFile(file)
	if err != nil {
		return p, err
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		return p, fmt.Errorf("%s: %w", file, err)
	}
	return p, nil
}

// Core returns the names of the core notebooks.
func (p Path) Core() map[string]bool {
	core := map[string]bool{}
	for _, c := range p.Courses {
		for _, m := range c.Modules {
			for _, s := range m.Steps {
				if s.Core {
					core[path.Join(c.Folder, s.Notebook)] = true
				}
			}
		}
	}
	return core
}

// check says what is wrong with the path: each notebook of the courses stands in it once,
// the weeks of a course count from 1 in the order of its steps, every core notebook has a
// week and says what one can do afterwards, and plans name notebooks.
func (p Path) check(byName map[string]Lab) error {
	where := map[string]string{}
	for _, c := range p.Courses {
		week := 0
		for _, m := range c.Modules {
			for _, s := range m.Steps {
				name := path.Join(c.Folder, s.Notebook)
				if _, is := byName[name]; !is {
					return fmt.Errorf("path.json: module %q of %s names %s, which is no notebook", m.Title, c.Folder, name)
				}
				if other, twice := where[name]; twice {
					return fmt.Errorf("path.json: %s stands in %q and in %q", name, other, m.Title)
				}
				where[name] = m.Title
				if s.Core && (s.Week == 0 || s.Can == "") {
					return fmt.Errorf(`path.json: %s is core, and needs a "week", and a "can" that completes "Afterwards you can ..."`, name)
				}
				if s.Week != 0 {
					if week++; s.Week != week {
						return fmt.Errorf("path.json: %s has week %d, and the week after the last one before it is %d", name, s.Week, week)
					}
				}
			}
		}
	}
	for name, l := range byName {
		if _, is := where[name]; !is && l.Course != "" {
			return fmt.Errorf("path.json: %s stands in no module", name)
		}
	}
	for _, plan := range p.Plans {
		for _, name := range plan.Weeks {
			if _, is := byName[name]; !is {
				return fmt.Errorf("path.json: the plan %q names %s, which is no notebook", plan.Title, name)
			}
		}
	}
	return nil
}
