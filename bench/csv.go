package bench

import (
	"encoding/csv"
	"io"
	"strconv"
)

// WriteCSV writes a line for each row of r, after one with the columns' names. Times are nanoseconds, rates are parts
// of 1. Columns of a comparison are empty where there was none.
func (r *Result) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	columns := csvColumns()
	line := make([]string, len(columns))
	for i, c := range columns {
		line[i] = c.name
	}
	// Write's errors come back from Error.
	_ = out.Write(line)
	for i := range r.Rows {
		for j, c := range columns {
			line[j] = c.value(&r.Rows[i])
		}
		_ = out.Write(line)
	}
	out.Flush()
	return out.Error()
}

// csvColumn is a column of the CSV form.
type csvColumn struct {
	name  string
	value func(*Row) string
}

func csvColumns() []csvColumn {
	columns := []csvColumn{
		{"bits_per_key", func(r *Row) string { return decimal(float64(r.Bits)) }},
		{"policy", func(r *Row) string { return r.Policy }},
		{"plan", func(r *Row) string { return r.Plan }},
		{"family", func(r *Row) string { return string(r.Family) }},
		{"filter_bytes", func(r *Row) string { return integer(r.Filter.Bytes) }},
		{"true_bits_per_key", func(r *Row) string { return decimal(r.Filter.BitsPerKey) }},
		{"rate_expected", func(r *Row) string { return decimal(r.Filter.Expected) }},
		{"rate_measured", func(r *Row) string { return decimal(r.Filter.Measured) }},
		{"rate_measured_low", func(r *Row) string { return decimal(r.Filter.MeasuredLow) }},
		{"rate_measured_high", func(r *Row) string { return decimal(r.Filter.MeasuredHigh) }},
		{"outside_theory", func(r *Row) string { return strconv.FormatBool(r.Filter.OutsideTheory) }},
		{"absent_wasted_reads_per_lookup", func(r *Row) string { return decimal(r.Waste.Absent) }},
		{"absent_wasted_reads_theory", func(r *Row) string { return decimal(r.Waste.AbsentTheory) }},
		{"present_wasted_reads_per_lookup", func(r *Row) string { return decimal(r.Waste.Present) }},
	}
	columns = append(columns, phaseColumns("absent_", func(r *Row) *Phase { return &r.Absent })...)
	columns = append(columns, phaseColumns("present_", func(r *Row) *Phase { return &r.Present })...)
	columns = append(columns, onOffColumns("absent_", func(c *Comparison) *OnOff { return &c.Absent })...)
	columns = append(columns, onOffColumns("present_", func(c *Comparison) *OnOff { return &c.Present })...)
	return append(columns,
		csvColumn{"build_ns", func(r *Row) string { return integer(int64(r.Build.Elapsed)) }},
		csvColumn{"build_log_bytes", func(r *Row) string { return integer(r.Build.LogBytes) }},
		csvColumn{"build_flushed_bytes", func(r *Row) string { return integer(r.Build.FlushedBytes) }},
		csvColumn{"build_compacted_bytes", func(r *Row) string { return integer(r.Build.CompactedBytes) }},
		csvColumn{"tables", func(r *Row) string { return strconv.Itoa(r.Build.Tables) }},
		csvColumn{"table_bytes", func(r *Row) string { return integer(r.Build.TableBytes) }},
	)
}

func phaseColumns(prefix string, of func(*Row) *Phase) []csvColumn {
	count := func(name string, value func(*Phase) int64) csvColumn {
		return csvColumn{prefix + name, func(r *Row) string { return integer(value(of(r))) }}
	}
	return []csvColumn{
		count("lookups", func(p *Phase) int64 { return p.Lookups }),
		count("tables_checked", func(p *Phase) int64 { return p.TablesChecked }),
		count("reads_skipped", func(p *Phase) int64 { return p.ReadsSkipped }),
		count("true_passes", func(p *Phase) int64 { return p.TruePasses }),
		count("false_passes", func(p *Phase) int64 { return p.FalsePasses }),
		count("disk_reads", func(p *Phase) int64 { return p.DiskReads }),
		{prefix + "disk_reads_per_lookup", func(r *Row) string { return decimal(of(r).PerLookup(of(r).DiskReads)) }},
		count("bytes_read", func(p *Phase) int64 { return p.BytesRead }),
		count("p50_ns", func(p *Phase) int64 { return int64(p.Latency.P50) }),
		count("p99_ns", func(p *Phase) int64 { return int64(p.Latency.P99) }),
		count("p999_ns", func(p *Phase) int64 { return int64(p.Latency.P999) }),
		{prefix + "lookups_per_second", func(r *Row) string { return decimal(of(r).Latency.PerSecond) }},
	}
}

func onOffColumns(prefix string, of func(*Comparison) *OnOff) []csvColumn {
	column := func(name string, value func(*OnOff) string) csvColumn {
		return csvColumn{prefix + name, func(r *Row) string {
			if r.Compared == nil {
				return ""
			}
			return value(of(r.Compared))
		}}
	}
	return []csvColumn{
		column("same_files_lookups", func(o *OnOff) string { return integer(o.On.Lookups) }),
		column("same_files_disk_reads_on", func(o *OnOff) string { return integer(o.On.DiskReads) }),
		column("same_files_disk_reads_off", func(o *OnOff) string { return integer(o.Off.DiskReads) }),
		column("same_files_p50_on_ns", func(o *OnOff) string { return integer(int64(o.On.Latency.P50)) }),
		column("same_files_p50_off_ns", func(o *OnOff) string { return integer(int64(o.Off.Latency.P50)) }),
		column("same_files_speed_ratio", func(o *OnOff) string { return decimal(o.SpeedRatio) }),
	}
}

func integer(n int64) string { return strconv.FormatInt(n, 10) }

func decimal(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
