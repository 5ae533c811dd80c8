package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"github.com/mllabs-go/mllabs/notebooks/peers"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/process"
)

// A side is one of the two processes of a workload.
type side struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Scanner
	stderr bytes.Buffer
}

func start(ctx context.Context, name string, args ...string) (*side, error) {
	s := &side{cmd: process.Command(ctx, name, args...)}
	s.cmd.Stderr = &s.stderr
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = bufio.NewScanner(stdout)
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	return s, nil
}

// turn asks for one run.
func (s *side) turn() (turn, error) { return s.ask("run") }

// ready waits until all is prepared, so that no other side's run is disturbed.
func (s *side) ready() error {
	_, err := s.ask("ready")
	return err
}

func (s *side) ask(word string) (turn, error) {
	var t turn
	// A process that has ended cannot be written to, but may have left word.
	_, _ = io.WriteString(s.in, word+"\n")
	if err := s.answer(&t); err != nil {
		return t, err
	}
	if t.Error != "" {
		return t, errors.New(t.Error)
	}
	return t, nil
}

// finish ends the process and returns what it says at the end.
func (s *side) finish() (end, error) {
	var e end
	s.in.Close()
	if err := s.answer(&e); err != nil {
		return e, err
	}
	return e, s.cmd.Wait()
}

// kill ends the process whatever it does; after finish it does nothing.
func (s *side) kill() {
	s.in.Close()
	if s.cmd.ProcessState == nil {
		s.cmd.Process.Kill()
		s.cmd.Wait()
	}
}

func (s *side) answer(v any) error {
	if !s.out.Scan() {
		return s.failure(errors.New("it ended without an answer"))
	}
	var missing struct {
		Unavailable string `json:"unavailable"`
	}
	if err := json.Unmarshal(s.out.Bytes(), &missing); err == nil && missing.Unavailable != "" {
		return fmt.Errorf("%w: %s", peers.ErrUnavailable, missing.Unavailable)
	}
	if err := json.Unmarshal(s.out.Bytes(), v); err != nil {
		return s.failure(err)
	}
	return nil
}

// failure adds the last line that the process wrote to its standard error.
func (s *side) failure(err error) error {
	s.cmd.Process.Kill()
	s.cmd.Wait()
	lines := strings.Split(strings.TrimSpace(s.stderr.String()), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return fmt.Errorf("%w: %s", err, last)
	}
	return err
}
