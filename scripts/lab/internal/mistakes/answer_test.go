package mistakes

import "testing"

func TestAnswer(t *testing.T) {
	for _, c := range []struct{ name, cell, body, want string }{
		{"a function", "// F is one.\nfunc F() int { return 1 }", "func F() int { return 2 }", "func F() int { return 2 }\n"},
		{"one of two", "func F() int { return g() }\n\n// g helps.\nfunc g() int { return 1 }", "func F() int { return 2 + g() }", "// g helps.\nfunc g() int { return 1 }\n\nfunc F() int { return 2 + g() }\n"},
		{"a constant", "const e = 1\n\nfunc F() int { return e }", "const e = 2\n\nfunc F() int { return -e }", "const e = 2\n\nfunc F() int { return -e }\n"},
		{"with imports and a main part", "type T int\n\nfunc (t T) M() {}\n\n%%\nfmt.Println(1)", "import \"math\"\n\nfunc (t T) M() { math.Sqrt(2) }",
			"import \"math\"\ntype T int\n\nfunc (t T) M() { math.Sqrt(2) }\n\n%%\nfmt.Println(1)"},
	} {
		got, err := Body{Source: c.body}.Answer(c.cell)
		if c.name == "a function" || c.name == "a constant" {
			c.want = "\n\n" + c.want // nothing is left of the cell
		}
		if err != nil || got != c.want {
			t.Errorf("%s: %q, %v\nwant %q", c.name, got, err, c.want)
		}
	}
	if _, err := (Body{Source: "func F("}).Answer("func F() {}"); err == nil {
		t.Error("a body that is no Go is no error")
	}
}
