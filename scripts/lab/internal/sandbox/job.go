package sandbox

import (
	"context"
	"time"
)

// A Job is a program to run.
type Job struct {
	Path string   // the program's file, absolute
	Args []string // without the program's name
	Env  []string // all of its environment: nothing is inherited
	Dir  string   // where it runs, absolute; "": an empty scratch folder of its own

	// ReadOnly are files and folders that it may read, absolute, at the same places inside.
	// The program itself need not be among them. In a sandbox nothing else of the machine is there.
	ReadOnly []string
	// Writable is a folder that it may write to, which stays; "": none.
	Writable string

	Limits Limits
}

// Limits are the most that a job may take. A limit of 0 is that of [Usual].
type Limits struct {
	CPU time.Duration // of processor time, of all its threads
	// Wall is for what waits: once it is over, a job goes on that has worked for a
	// twentieth of its time, as on a busy machine, until CPU ends it.
	Wall      time.Duration
	Memory    int64 // bytes
	Disk      int64 // bytes of its scratch folder, and of each file
	Output    int64 // bytes of standard output and error together
	Spill     int64 // bytes of them beyond those, which are lost
	Report    int64 // bytes that it reports
	Processes int   // and threads
	Fork      bool  // whether it may start programs
}

// Usual are limits for a program of a few numbers.
var Usual = Limits{CPU: 20 * time.Second, Wall: 2 * time.Minute, Memory: 1 << 30, Disk: 64 << 20, Output: 1 << 20, Report: 1 << 20, Processes: 128}

// Ended says why a job ended.
type Ended int

const (
	Exited      Ended = iota // by itself, with [Result.Code]
	Killed                   // by a signal that no limit explains, with [Result.Signal]
	OutOfTime                // CPU or Wall
	OutOfMemory              // as far as that can be told
	TooMuchOutput
)

// A Result is how a job ended.
type Result struct {
	Ended  Ended
	Code   int    // exit status
	Signal string // "killed"
	// Output is the beginning of what the program printed, Report of what it wrote to
	// file descriptor 3, which nobody else writes to.
	Output, Report []byte
	CPU, Wall      time.Duration
	MaxMemory      int64 // bytes, the resident set
}

// A Runner runs jobs, several at a time.
type Runner interface {
	// Run returns an error only if the job could not be run or ctx has ended, and not for
	// what the program does. When it returns, nothing that the job started is alive.
	Run(ctx context.Context, job Job) (Result, error)
	// Contains says whether the runner holds against malice.
	Contains() bool
}
