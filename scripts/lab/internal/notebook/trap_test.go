package notebook

import "testing"

func TestTrap(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"%%\nos.Exit(0)", "exit os.Exit"},
		{"f := os.Exit\nf(0)", "exit os.Exit"},
		{"defer syscall.Exit(1)", "exit syscall.Exit"},
		{"%%\nvar n int\nfmt.Scanln(&n)", "input fmt.Scanln"},
		{"in := bufio.NewReader(os.Stdin)", "input os.Stdin"},
		{"%with_inputs\n%%\nx()", "input %with_inputs"},
		{"// os.Exit(0)\ns := \"fmt.Scan(&x)\"", ""},
		{"fmt.Sscan(s, &x)\nmyos.Exit(0)\nx.os.Exit(0)\nos.Getenv(a)", ""},
		{"!echo os.Exit", ""},
		{"a b os.Exit(0)", "exit os.Exit"},
		{"import stop \"os\"\n\nfunc f() {}", `import import stop "os"`},
		{"import (\n\t\"fmt\"\n\t. \"os\"\n)", `import import . "os"`},
		{"import (\n\t\"fmt\"\n\tos \"os\"\n\t_ \"syscall\"\n\tmath \"math/rand\"\n)", ""},
		{"import \"os\"\nvar s = f \"os\"", ""},
		{"' unfinished \" os.Exit", ""},
		{"", ""},
	} {
		got := ""
		if trap := (&Cell{Type: "code", Source: c.source}).Trap(); trap != nil {
			got = trap.Kind + " " + trap.Name
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.source, got, c.want)
		}
	}
	if trap := (&Cell{Type: "markdown", Source: "`os.Exit(0)`"}).Trap(); trap != nil {
		t.Errorf("in prose: %v", trap)
	}
}
