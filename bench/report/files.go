package report

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"siftdb/bench"
)

// WriteFiles writes report.html and its pictures, each as an SVG and a PNG file, into dir, which it makes if it is not
// there. Files of these names are replaced.
func WriteFiles(dir string, r *bench.Result) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("siftdb: bench: %w", err)
	}
	write := func(name string, contents func(io.Writer) error) error {
		if err := writeFile(filepath.Join(dir, name), contents); err != nil {
			return fmt.Errorf("siftdb: bench: %w", err)
		}
		return nil
	}
	charts := chartsOf(r)
	for i := range charts {
		c := &charts[i]
		if err := write(c.name+".svg", func(w io.Writer) error { return writeSVG(w, c, frameFile) }); err != nil {
			return err
		}
		if err := write(c.name+".png", func(w io.Writer) error { return writePNG(w, c, frameFile) }); err != nil {
			return err
		}
	}
	return write("report.html", func(w io.Writer) error { return WritePage(w, r) })
}

func writeFile(name string, contents func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := contents(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
