package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// figure is a phase as it is compared: its median over the repetitions, by store.
type figure struct {
	phase   string
	threads int
	rows    map[string]Row
}

// compareFiles writes the comparison of the rows in files as Markdown.
func compareFiles(files []string, out io.Writer) error {
	if len(files) == 0 {
		return errors.New("compare: which files?")
	}
	var rows []Row
	for _, name := range files {
		more, err := readRows(name)
		if err != nil {
			return err
		}
		rows = append(rows, more...)
	}
	if len(rows) == 0 {
		return errors.New("compare: no rows")
	}
	stores := storesIn(rows)
	figures := figuresOf(rows)
	if err := speeds(figures, stores).write(out); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(out); err != nil {
		return err
	}
	return costs(figures, stores).write(out)
}

// storesIn are the stores of the rows, in the order of contestants.
func storesIn(rows []Row) (stores []string) {
	for _, name := range contestantNames() {
		if slices.ContainsFunc(rows, func(r Row) bool { return r.Store == name }) {
			stores = append(stores, name)
		}
	}
	return stores
}

// figuresOf gathers rows, in the order in which phases were measured.
func figuresOf(rows []Row) (figures []*figure) {
	all := make(map[string][]Row)
	for _, r := range rows {
		id := fmt.Sprint(r.Phase, r.Threads)
		if all[id] == nil {
			figures = append(figures, &figure{phase: r.Phase, threads: r.Threads, rows: make(map[string]Row)})
		}
		all[id] = append(all[id], r)
	}
	for _, f := range figures {
		byStore := make(map[string][]Row)
		for _, r := range all[fmt.Sprint(f.phase, f.threads)] {
			byStore[r.Store] = append(byStore[r.Store], r)
		}
		for store, rows := range byStore {
			f.rows[store] = median(rows)
		}
	}
	return figures
}

// median is the row whose speed is the median.
func median(rows []Row) Row {
	slices.SortFunc(rows, func(a, b Row) int { return cmp.Compare(a.PerSecond(), b.PerSecond()) })
	return rows[(len(rows)-1)/2]
}

// title names a phase.
func (f *figure) title() string {
	if f.threads > 1 {
		return fmt.Sprintf("%s, %d goroutines", f.phase, f.threads)
	}
	return f.phase
}

// ratio is siftdb's speed over that of the best of the others, which it names.
func (f *figure) ratio() (ratio float64, best string) {
	var speed float64
	for store, r := range f.rows {
		if c, err := contestantNamed(store); err == nil && !c.apart && store != "siftdb" && r.PerSecond() > speed {
			speed, best = r.PerSecond(), store
		}
	}
	own, there := f.rows["siftdb"]
	if !there || best == "" {
		return 0, ""
	}
	return own.PerSecond() / speed, best
}

// table is a Markdown table.
type table struct{ rows [][]string }

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) write(out io.Writer) error {
	widths := make([]int, len(t.rows[0]))
	for _, row := range t.rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	for n, row := range t.rows {
		var line strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-len([]rune(cell)))
			if i == 0 {
				cell, pad = cell+pad, ""
			}
			line.WriteString("| " + pad + cell + " ")
		}
		if _, err := fmt.Fprintln(out, line.String()+"|"); err != nil {
			return err
		}
		if n == 0 {
			line.Reset()
			for i, width := range widths {
				rule := strings.Repeat("-", width)
				if i > 0 {
					rule = rule[1:] + ":"
				}
				line.WriteString("| " + rule + " ")
			}
			if _, err := fmt.Fprintln(out, line.String()+"|"); err != nil {
				return err
			}
		}
	}
	return nil
}

// speeds is thousands of operations a second.
func speeds(figures []*figure, stores []string) *table {
	t := &table{}
	t.add(append(append([]string{"thousand a second"}, stores...), "siftdb / best")...)
	for _, f := range figures {
		cells := []string{f.title()}
		for _, store := range stores {
			if r, there := f.rows[store]; there {
				cells = append(cells, short(r.PerSecond()/1000))
			} else {
				cells = append(cells, "-")
			}
		}
		ratio, best := f.ratio()
		t.add(append(cells, fmt.Sprintf("%.2f (%s)", ratio, best))...)
	}
	return t
}

// costs is what an operation costs beside time: CPU, reads, allocations, memory.
func costs(figures []*figure, stores []string) *table {
	t := &table{}
	t.add(append([]string{"µs CPU; reads; allocations an operation; MiB resident"}, stores...)...)
	for _, f := range figures {
		cells := []string{f.title()}
		for _, store := range stores {
			r, there := f.rows[store]
			if !there {
				cells = append(cells, "-")
				continue
			}
			ops := float64(max(1, r.Ops))
			cells = append(cells, fmt.Sprintf("%s; %s; %s; %d", short(r.CPUSeconds*1e6/ops), short(float64(r.ReadCalls)/ops), short(r.Allocs),
				r.Resident>>20))
		}
		t.add(cells...)
	}
	return t
}

// short is a number with three digits that count.
func short(v float64) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	case v >= 1:
		return fmt.Sprintf("%.2f", v)
	case v < 0.0005:
		return "0"
	}
	return fmt.Sprintf("%.3f", v)
}
