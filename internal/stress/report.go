package stress

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
)

// report is what a worker says to the process that started it: a line for each event. Each line is one write, so that a
// kill cuts none but the last.
type report struct {
	mu  sync.Mutex
	out io.Writer
}

func (r *report) say(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	// If nobody listens any more, the kill is on its way.
	_, _ = fmt.Fprintf(r.out, format+"\n", args...)
}

func (r *report) opened()                     { r.say("opened") }
func (r *report) durable(writer, i int)       { r.say("durable %d %d", writer, i) }
func (r *report) ended(writer, i int)         { r.say("ended %d %d", writer, i) }
func (r *report) counted(reads, faults int64) { r.say("counted %d %d", reads, faults) }

// heard is what has been heard of a worker.
type heard struct {
	durable  progress
	durables int64       // writes
	ended    map[int]int // writer to its last write
	reads    int64
	faults   int64
}

// hear takes in a line.
func (h *heard) hear(line string) error {
	var writer, i int
	kind, rest, _ := strings.Cut(line, " ")
	var err error
	switch kind {
	case "opened":
	case "durable":
		if writer, i, err = writeIn(rest); err == nil {
			h.durable[writer] = max(h.durable[writer], i)
			h.durables++
		}
	case "ended":
		if writer, i, err = writeIn(rest); err == nil {
			h.ended[writer] = i
		}
	case "counted":
		_, err = fmt.Sscan(rest, &h.reads, &h.faults)
	default:
		err = errors.New("no such event")
	}
	if err != nil {
		return fmt.Errorf("the worker says %q: %w", line, err)
	}
	return nil
}

// writeIn reads a writer and the number of a write.
func writeIn(text string) (writer, i int, err error) {
	if _, err = fmt.Sscan(text, &writer, &i); err == nil && (writer < 0 || writer >= writers) {
		err = errors.New("no such writer")
	}
	return writer, i, err
}
