package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// WriteJSON writes r as JSON, indented.
func (r *Result) WriteJSON(w io.Writer) error {
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	return out.Encode(r)
}

// WriteFiles writes results.json, results.csv and bench.txt (Go's benchmark format) into dir, which it makes if it is
// not there. Files of these names are replaced.
func (r *Result) WriteFiles(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("siftdb: bench: %w", err)
	}
	for _, file := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{"results.json", r.WriteJSON},
		{"results.csv", r.WriteCSV},
		{"bench.txt", r.WriteGoBench},
	} {
		if err := writeFile(filepath.Join(dir, file.name), file.write); err != nil {
			return fmt.Errorf("siftdb: bench: %w", err)
		}
	}
	return nil
}

func writeFile(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
