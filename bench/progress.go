package bench

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/dustin/go-humanize"
)

// Progress is told how far a run is: Begin, any number of At, End, for each phase. Calls come from one goroutine,
// between the lookups that are timed, so that showing progress takes nothing from them.
type Progress interface {
	// Begin starts a phase of total steps.
	Begin(phase string, total int)
	// At says how many steps are done.
	At(done int)
	// End ends the phase, done or not.
	End()
}

// NewProgress shows progress on w with rate and time to go: if w is a terminal, in one line that is drawn anew, else
// in plain lines, fewer of them.
func NewProgress(w io.Writer) Progress {
	p := &progressLine{w: w, now: time.Now, every: 5 * time.Second, newline: "\n"}
	if isTerminal(w) {
		p.every = 200 * time.Millisecond
		p.clear, p.newline = "\r\x1b[K", ""
	}
	return p
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && f.Name() != os.DevNull
}

// silent is the Progress of a run that nobody watches.
type silent struct{}

func (silent) Begin(string, int) {}
func (silent) At(int)            {}
func (silent) End()              {}

// progressLine writes how far a phase is, now and then, and once at its end.
type progressLine struct {
	w       io.Writer
	now     func() time.Time
	every   time.Duration // at most one line in this time
	clear   string        // before a line
	newline string        // after a line of a running phase

	phase string
	total int
	done  int
	start time.Time
	last  time.Time // when a line was written
}

func (p *progressLine) Begin(phase string, total int) {
	p.phase, p.total, p.done = phase, total, 0
	p.start = p.now()
	p.last = p.start
}

func (p *progressLine) At(done int) {
	p.done = done
	if now := p.now(); now.Sub(p.last) >= p.every {
		p.last = now
		p.write(now, p.newline)
	}
}

func (p *progressLine) End() { p.write(p.now(), "\n") }

func (p *progressLine) write(now time.Time, end string) {
	elapsed := now.Sub(p.start)
	rate := float64(p.done) / max(elapsed.Seconds(), 1e-9)
	text := fmt.Sprintf("%s: %s of %s, %s/s", p.phase,
		humanize.Comma(int64(p.done)), humanize.Comma(int64(p.total)), humanize.Comma(int64(rate)))
	if p.done > 0 && p.done < p.total {
		left := time.Duration(float64(p.total-p.done) / rate * float64(time.Second))
		text += fmt.Sprintf(", %s to go", left.Round(time.Second))
	} else {
		text += fmt.Sprintf(", took %s", elapsed.Round(10*time.Millisecond))
	}
	// Progress that cannot be shown must not end a run.
	_, _ = fmt.Fprint(p.w, p.clear, text, end)
}
