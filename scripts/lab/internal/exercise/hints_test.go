package exercise

import "testing"

func TestFoldHints(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"none", "Write it.", "Write it."},
		{"one", "Write it.\n\n**Hint.** `a` and\n`b`.", "Write it.\n\n<details>\n<summary>Hint</summary>\n\n`a` and\n`b`.\n\n</details>"},
		{"in steps", "Write it.\n\n**Hint.** The idea.\n\n**Hint.** The call:\n\n    f()\n",
			"Write it.\n\n<details>\n<summary>Hint 1 of 2</summary>\n\nThe idea.\n\n<details>\n<summary>Hint 2 of 2</summary>\n\nThe call:\n\n    f()\n\n</details>\n</details>"},
		{"in a sentence", "Read the **Hint.** below.", "Read the **Hint.** below."},
	} {
		if got := foldHints(c.source); got != c.want {
			t.Errorf("%s: it becomes\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}
