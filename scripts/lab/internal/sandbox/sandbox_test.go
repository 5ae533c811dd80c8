//go:build unix

package sandbox

import (
	"context"
	"testing"
)

func TestUnsafe(t *testing.T) {
	for _, c := range []struct {
		name, script string
		limits       Limits
		want         Ended
		code         int
		output       string
		report       string
	}{
		{"output and report", "echo out; echo err >&2; echo report >&3; exit 3", Limits{}, Exited, 3, "out\nerr\n", "report\n"},
		{"a signal", "kill -TERM $$", Limits{}, Killed, -1, "", ""},
		{"nothing inherited", "pwd >/dev/null; echo $HOME", Limits{}, Exited, 0, "\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := Unsafe().Run(context.Background(), Job{Path: "/bin/sh", Args: []string{"-c", c.script}, Limits: c.limits})
			if err != nil {
				t.Fatal(err)
			}
			if res.Ended != c.want || res.Code != c.code || string(res.Output) != c.output || string(res.Report) != c.report {
				t.Errorf("%+v, output %q, report %q", res, res.Output, res.Report)
			}
		})
	}
}
