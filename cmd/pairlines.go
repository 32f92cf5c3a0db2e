package cmd

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
)

// pairReader reads lines of a key, a tab and a value, as export writes them. Bytes are taken as they are; only the
// newline that ends a line is none of the value's.
type pairReader struct {
	in           *bufio.Reader
	keys, values byteForm
	line         int // the number of the line read last, from 1
	buf          []byte
}

func newPairReader(r io.Reader, keys, values byteForm) *pairReader {
	return &pairReader{in: bufio.NewReaderSize(r, 64<<10), keys: keys, values: values}
}

// next returns the next line's key and value, valid until the next call, and io.EOF after the last. Any other error
// names the line.
func (p *pairReader) next() (key, value []byte, err error) {
	if err := p.readLine(); err != nil {
		return nil, nil, err
	}
	first, second, found := strings.Cut(string(p.buf), "\t")
	switch {
	case !found:
		return nil, nil, p.fault("a key, a tab and a value expected, there is no tab")
	case strings.Contains(second, "\t"):
		return nil, nil, p.fault("a key, a tab and a value expected, there is a second tab")
	}
	if key, err = p.keys.parse(first); err != nil {
		return nil, nil, p.fault("key: " + err.Error())
	}
	if value, err = p.values.parse(second); err != nil {
		return nil, nil, p.fault("value: " + err.Error())
	}
	return key, value, nil
}

// nextKey is next for lines that may hold a key alone.
func (p *pairReader) nextKey() ([]byte, error) {
	if err := p.readLine(); err != nil {
		return nil, err
	}
	word, _, _ := strings.Cut(string(p.buf), "\t")
	key, err := p.keys.parse(word)
	if err != nil {
		return nil, p.fault("key: " + err.Error())
	}
	return key, nil
}

// readLine puts the next line into buf, without its newline. The last line need not have one.
func (p *pairReader) readLine() error {
	p.buf = p.buf[:0]
	for {
		piece, err := p.in.ReadSlice('\n')
		p.buf = append(p.buf, piece...)
		switch {
		case err == nil:
			p.line++
			p.buf = bytes.TrimSuffix(p.buf, []byte("\n"))
			return nil
		case err == io.EOF && len(p.buf) > 0:
			p.line++
			return nil
		case err == io.EOF:
			return io.EOF
		case err != bufio.ErrBufferFull:
			return fmt.Errorf("after line %d: %w", p.line, err)
		}
	}
}

func (p *pairReader) fault(reason string) error { return fmt.Errorf("line %d: %s", p.line, reason) }

// pairWriter writes lines that pairReader reads. It goes on after no error.
type pairWriter struct {
	out          *bufio.Writer
	keys, values byteForm
	buf          []byte
}

// write writes one line. What a line of text cannot hold is refused.
func (p *pairWriter) write(key, value []byte) error {
	line, err := p.keys.appendField(p.buf[:0], key)
	if err != nil {
		return fmt.Errorf("siftdb: key %s cannot be written as text: %w; --keys quoted can hold it",
			abridged(string(key)), err)
	}
	line = append(line, '\t')
	line, err = p.values.appendField(line, value)
	if err != nil {
		return fmt.Errorf("siftdb: the value of key %s cannot be written as text: %w; --values quoted can hold it",
			abridged(string(key)), err)
	}
	p.buf = append(line, '\n')
	_, err = p.out.Write(p.buf)
	return err
}
