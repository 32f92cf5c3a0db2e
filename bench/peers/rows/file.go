package rows

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// File is what a file of rows holds: a header, then the rows of that run.
type File struct {
	Header Header
	Rows   []Row
}

// headerLine is how a header lies in a file: a row has no such field.
type headerLine struct {
	Header *Header `json:"header"`
}

// WriteHeader writes h as the first line of a file.
func WriteHeader(w io.Writer, h Header) error { return json.NewEncoder(w).Encode(headerLine{&h}) }

// WriteRow writes r as a line.
func WriteRow(w io.Writer, r Row) error { return json.NewEncoder(w).Encode(r) }

// Read reads a file of rows.
func Read(name string) (f File, err error) {
	in, err := os.Open(filepath.Clean(name))
	if err != nil {
		return f, err
	}
	defer in.Close()
	decoder := json.NewDecoder(in)
	var first headerLine
	if err := decoder.Decode(&first); err != nil {
		return f, fmt.Errorf("%s is no file of rows: %w", name, err)
	}
	if first.Header == nil {
		return f, fmt.Errorf("%s does not begin with a header", name)
	}
	f.Header = *first.Header
	for {
		var r Row
		err := decoder.Decode(&r)
		if errors.Is(err, io.EOF) {
			return f, nil
		}
		if err != nil {
			return f, fmt.Errorf("%s: %w", name, err)
		}
		f.Rows = append(f.Rows, r)
	}
}
