package cmd

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// byteForm is how keys or values, which are any bytes, are written as text.
type byteForm string

const (
	// formText is the bytes themselves.
	formText byteForm = "text"
	// formQuoted is a Go string literal in double quotes.
	formQuoted byteForm = "quoted"
	formHex    byteForm = "hex"
	formBase64 byteForm = "base64"
)

// addKeysFlag gives c the flag --keys.
func addKeysFlag(c *cobra.Command, form *byteForm) { addFormFlag(c, "keys", form) }

// addValuesFlag gives c the flag --values.
func addValuesFlag(c *cobra.Command, form *byteForm) { addFormFlag(c, "values", form) }

func addFormFlag(c *cobra.Command, what string, form *byteForm) {
	addChoice(c, what, "", "how "+what+" are written", "form", form, formText, formQuoted, formHex, formBase64)
}

// keyArgument is the key that an argument of c stands for.
func keyArgument(c *cobra.Command, form byteForm, word string) ([]byte, error) {
	key, err := form.parse(word)
	if err != nil {
		return nil, usageError(c, "key: "+err.Error())
	}
	return key, nil
}

// parse reads what appendField writes: the bytes that a word stands for.
func (f byteForm) parse(word string) ([]byte, error) {
	switch f {
	case formQuoted:
		text, err := strconv.Unquote(word)
		if err != nil || !strings.HasPrefix(word, `"`) {
			return nil, fmt.Errorf("%s is no string in double quotes, as Go writes them", abridged(word))
		}
		return []byte(text), nil
	case formHex:
		b, err := hex.DecodeString(word)
		if err != nil {
			return nil, fmt.Errorf("%s is no hexadecimal text", abridged(word))
		}
		return b, nil
	case formBase64:
		b, err := base64.StdEncoding.DecodeString(word)
		if err != nil {
			return nil, fmt.Errorf("%s is no base64 text", abridged(word))
		}
		return b, nil
	}
	return []byte(word), nil
}

// abridged quotes a word for an error, which must fit on a line.
func abridged(word string) string {
	const most = 60
	if len(word) > most {
		return strconv.Quote(word[:most]) + "..."
	}
	return strconv.Quote(word)
}

// appendField appends b as one field of a line of fields between tabs. Text that would not come back as it was is
// refused; all other forms hold any bytes.
func (f byteForm) appendField(dst, b []byte) ([]byte, error) {
	switch f {
	case formQuoted:
		return strconv.AppendQuote(dst, string(b)), nil
	case formHex:
		return hex.AppendEncode(dst, b), nil
	case formBase64:
		return base64.StdEncoding.AppendEncode(dst, b), nil
	}
	switch {
	case bytes.IndexByte(b, '\t') >= 0:
		return dst, errors.New("there is a tab in it")
	case bytes.IndexByte(b, '\n') >= 0:
		return dst, errors.New("there is a newline in it")
	}
	return append(dst, b...), nil
}

// show is b for a reader of tables. As text, what is not plain to see is quoted: control bytes, bytes that are no
// UTF-8, and what begins with a quote, so that the two can be told apart.
func (f byteForm) show(b []byte) string {
	if f == formText {
		if plain(b) {
			return string(b)
		}
		f = formQuoted
	}
	field, _ := f.appendField(nil, b) // only text is ever refused
	return string(field)
}

func plain(b []byte) bool {
	if bytes.HasPrefix(b, []byte{'"'}) || !utf8.Valid(b) {
		return false
	}
	return !strings.ContainsFunc(string(b), func(r rune) bool { return !strconv.IsPrint(r) })
}
