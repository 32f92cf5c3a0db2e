package stress

import (
	"context"
	"fmt"
	"os/exec"
	"time"
)

// Config says how a run goes.
type Config struct {
	// Dir is where the store is made. It must hold nothing.
	Dir string
	// Duration is how long new rounds begin. At least one is played.
	Duration time.Duration
	// Seed is what everything follows from that is drawn, but for the moments at which things happen.
	Seed uint64
	// Worker makes a command that calls Work on the store in Dir, with its standard output for out, and fails when Work
	// does. Killing the command's process must kill the worker.
	Worker func(ctx context.Context, r Round) *exec.Cmd
	// Progress, if not nil, is called after each round.
	Progress func(s Summary)
}

// Summary counts what a run did.
type Summary struct {
	Rounds  int
	Kills   int   // rounds that ended by kill -9
	Closes  int   // that ended by Close, without faults
	Faulty  int   // that had file operations fail
	Faults  int64 // operations that were made to fail
	Writes  int64 // that the store held at the end
	Durable int64 // of which workers were told that they are durable
	Reads   int64 // answers that were compared while others wrote
	Checked int64 // entries that were compared after rounds
	Elapsed time.Duration
}

// Failure is a store that did what it must not.
type Failure struct {
	Round  Round
	Err    error
	Output string // the end of what the worker wrote to its error output
}

// Error names the round and what was wrong, with the end of the worker's error output.
func (f *Failure) Error() string {
	text := fmt.Sprintf("%v: %v", f.Round, f.Err)
	if f.Output != "" {
		text += "\n" + f.Output
	}
	return text
}

// Unwrap returns Err.
func (f *Failure) Unwrap() error { return f.Err }

// Run plays rounds until the time is over, and checks the store after each. What the store did wrong comes as a
// *Failure; the store is then left as it was found. A context that ends ends the run between rounds, and is no error.
func Run(ctx context.Context, c Config) (Summary, error) {
	r := &run{config: c, history: newHistory(c.Seed)}
	start := time.Now()
	for number := 1; number == 1 || time.Since(start) < c.Duration; number++ {
		round := Round{Seed: c.Seed, Number: number}
		err := r.play(ctx, round)
		r.summary.Elapsed = time.Since(start)
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			return r.summary, err
		}
		if c.Progress != nil {
			c.Progress(r.summary)
		}
	}
	return r.summary, nil
}

// run is a run that is under way.
type run struct {
	config  Config
	history *history
	summary Summary
}

// play has a worker play a round, and checks what it left.
func (r *run) play(ctx context.Context, round Round) error {
	p := &process{round: round, plan: round.plan()}
	err := p.run(r.config.Worker(ctx, round))
	if err == nil {
		var n int64
		n, err = r.history.compare(ctx, r.config.Dir, round, &p.heard)
		r.summary.Checked += n
	}
	if err != nil {
		return &Failure{Round: round, Err: err, Output: p.output.String()}
	}
	r.count(p)
	return nil
}

func (r *run) count(p *process) {
	s := &r.summary
	s.Rounds++
	switch p.plan.ending {
	case killed:
		s.Kills++
	case closed:
		s.Closes++
	case failed:
		s.Faulty++
	}
	s.Faults += p.heard.faults
	s.Reads += p.heard.reads
	s.Durable += p.heard.durables
	s.Writes = 0
	for _, state := range r.history.states {
		s.Writes += int64(state.done)
	}
}
