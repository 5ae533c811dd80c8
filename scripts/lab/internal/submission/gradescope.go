package submission

import (
	"cmp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// gradescope reads whose Gradescope's folders are, which have numbers only: its metadata names those
// who have handed in, several where they are a group. A file of that name in a folder is a student's.
func gradescope(entries []entry) map[string][]owner {
	i := slices.IndexFunc(entries, func(e entry) bool { return e.path == "submission_metadata.yml" && e.problem == "" })
	if i < 0 {
		return nil
	}
	data, err := read(entries[i], maxNested)
	if err != nil {
		return nil
	}
	var folders map[string]struct {
		Submitters []struct {
			Name  string `yaml:":name"`
			SID   string `yaml:":sid"`
			Email string `yaml:":email"`
		} `yaml:":submitters"`
	}
	if err := yaml.Unmarshal(data, &folders); err != nil {
		return nil
	}
	of := map[string][]owner{}
	for folder, f := range folders {
		for _, who := range f.Submitters {
			if strings.TrimSpace(who.Name) == "" {
				continue
			}
			of[folder] = append(of[folder], owner{student: who.Name, id: shown(cmp.Or(who.SID, who.Email, folder))})
		}
	}
	return of
}
