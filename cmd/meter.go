package cmd

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/dustin/go-humanize"
)

// meter tells how far a long command is, when nobody knows how long it will be: now and then, on a terminal in one
// line that is drawn anew.
type meter struct {
	w       io.Writer
	doing   string // such as "importing"
	now     func() time.Time
	every   time.Duration
	clear   string // before a line
	newline string // after a line

	start, last    time.Time
	entries, bytes int64
	shown          bool
}

func newMeter(w io.Writer, doing string) *meter {
	m := &meter{w: w, doing: doing, now: time.Now, every: 5 * time.Second, newline: "\n"}
	if isTerminal(w) {
		m.every = 200 * time.Millisecond
		m.clear, m.newline = "\r\x1b[K", ""
	}
	m.start = m.now()
	m.last = m.start
	return m
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && f.Name() != os.DevNull
}

// add counts an entry of so many bytes.
func (m *meter) add(bytes int) {
	m.entries++
	m.bytes += int64(bytes)
	const between = 256 // the clock costs more than an entry
	if m.entries%between != 0 {
		return
	}
	if now := m.now(); now.Sub(m.last) >= m.every {
		m.last, m.shown = now, true
		m.write(m.clear + m.doing + " " + m.String() + m.newline)
	}
}

// end wipes the line that is drawn anew.
func (m *meter) end() {
	if m.shown && m.newline == "" {
		m.write(m.clear)
	}
}

func (m *meter) write(text string) {
	// Progress that cannot be shown must not end the work.
	_, _ = fmt.Fprint(m.w, text)
}

// String is what was done, and how fast.
func (m *meter) String() string {
	took := m.now().Sub(m.start)
	rate := float64(m.entries) / max(took.Seconds(), 1e-9)
	entries := humanize.Comma(m.entries) + " entries"
	if m.entries == 1 {
		entries = "1 entry"
	}
	return fmt.Sprintf("%s, %s, in %s (%s/s)",
		entries, sizeText(m.bytes), took.Round(10*time.Millisecond), humanize.Comma(int64(rate)))
}
