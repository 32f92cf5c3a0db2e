package bench

import (
	"fmt"
	"io"
)

// WriteGoBench writes r in the format of Go's benchmarks, so that benchstat compares runs, disk reads included: names
// hold what was set, and a line has ns/op, reads/op, skipped/op and times of the slow lookups.
func (r *Result) WriteGoBench(w io.Writer) error {
	g := &goBench{w: w}
	g.printf("goos: %s\ngoarch: %s\npkg: siftdb/bench\ncpu: %s\n", r.Header.OS, r.Header.Arch, r.Header.CPU)
	for i := range r.Rows {
		row := &r.Rows[i]
		name := row.benchName()
		g.phase("Lookup/keys=absent/"+name, &row.Absent)
		g.phase("Lookup/keys=present/"+name, &row.Present)
		if row.Compared == nil {
			continue
		}
		for _, side := range []struct {
			keys string
			*OnOff
		}{{"absent", &row.Compared.Absent}, {"present", &row.Compared.Present}} {
			g.phase("SameFiles/keys="+side.keys+"/"+name+"/filters=on", &side.On)
			g.phase("SameFiles/keys="+side.keys+"/"+name+"/filters=off", &side.Off)
		}
	}
	return g.err
}

// goBench writes lines until the first error.
type goBench struct {
	w   io.Writer
	err error
}

func (g *goBench) printf(format string, args ...any) {
	if g.err == nil {
		_, g.err = fmt.Fprintf(g.w, format, args...)
	}
}

func (g *goBench) phase(name string, p *Phase) {
	if p.Lookups == 0 {
		return
	}
	g.printf("Benchmark%s\t%d\t%d ns/op\t%.6g reads/op\t%.6g skipped/op\t%d p50-ns\t%d p99-ns\t%d p999-ns\n",
		name, p.Lookups, p.Latency.Mean.Nanoseconds(), p.PerLookup(p.DiskReads), p.PerLookup(p.ReadsSkipped),
		p.Latency.P50.Nanoseconds(), p.Latency.P99.Nanoseconds(), p.Latency.P999.Nanoseconds())
}

// benchName is what was set, as a part of a benchmark's name.
func (r *Row) benchName() string {
	if r.Bits == Off {
		return "bits=off"
	}
	return fmt.Sprintf("bits=%s/plan=%s/family=%s", r.Bits, r.Plan, r.Family)
}
