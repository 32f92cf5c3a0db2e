package stress

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// process is a worker seen from outside.
type process struct {
	round  Round
	plan   plan
	heard  heard
	output tail
}

// run starts the worker, listens to it, kills it when the plan says so, and waits for its end.
func (p *process) run(worker *exec.Cmd) error {
	p.heard.ended = make(map[int]int)
	out, err := worker.StdoutPipe()
	if err != nil {
		return err
	}
	worker.Stderr = &p.output
	if err := worker.Start(); err != nil {
		return fmt.Errorf("starting a worker: %w", err)
	}
	end := sync.OnceFunc(func() {
		// An error means that the worker has ended by itself, which Wait tells of.
		_ = worker.Process.Kill()
	})
	if p.plan.ending == killed && p.plan.early {
		defer time.AfterFunc(p.plan.lasts, end).Stop()
	}
	heardErr := p.listen(out, end)
	if heardErr != nil {
		end()
	}
	waitErr := worker.Wait()
	switch {
	case heardErr != nil:
		return heardErr
	case p.plan.ending == killed && waitErr == nil:
		return errors.New("the worker ended though it was to be killed")
	case p.plan.ending != killed && waitErr != nil, p.output.Len() > 0:
		return fmt.Errorf("the worker failed: %w", waitErr)
	}
	return nil
}

// listen takes in what the worker says until it says no more. A line that a kill cut short was not said.
func (p *process) listen(out io.Reader, end func()) error {
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return nil
		}
		line = strings.TrimSuffix(line, "\n")
		if line == "opened" && p.plan.ending == killed && !p.plan.early {
			defer time.AfterFunc(p.plan.lasts, end).Stop()
		}
		if err := p.heard.hear(line); err != nil {
			return err
		}
	}
}

// tail keeps the end of what is written to it.
type tail struct{ kept []byte }

const tailSize = 64 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	if len(t.kept) > 2*tailSize {
		t.kept = append(t.kept[:0], t.kept[len(t.kept)-tailSize:]...)
	}
	return len(p), nil
}

// Len is how many bytes are kept.
func (t *tail) Len() int { return len(t.kept) }

func (t *tail) String() string { return string(t.kept) }
