package report

import (
	"bufio"
	"bytes"
	"io"
)

// longestMessage is more than a screenshot of a long page takes.
const longestMessage = 256 << 20

// newMessages reads what ends in a zero byte each.
func newMessages(from io.Reader) *bufio.Scanner {
	in := bufio.NewScanner(from)
	in.Buffer(nil, longestMessage)
	in.Split(func(data []byte, atEnd bool) (advance int, token []byte, err error) {
		if end := bytes.IndexByte(data, 0); end >= 0 {
			return end + 1, data[:end], nil
		}
		return 0, nil, nil
	})
	return in
}
