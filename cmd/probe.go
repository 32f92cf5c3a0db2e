package cmd

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"siftdb/db"
)

// probeFlag says which keys to look up: those of a file, or so many made ones; none where it is not given.
type probeFlag struct {
	word string
	keys byteForm
}

// add gives c the flags --probe and --keys.
func (p *probeFlag) add(c *cobra.Command, usage string) {
	addKeysFlag(c, &p.keys)
	c.Flags().StringVar(&p.word, "probe", "", usage)
}

// made is how many keys are to be made; false where they come from a file.
func (p *probeFlag) made() (int, bool) {
	var n count
	err := n.Set(p.word)
	return int(n), err == nil
}

// each calls fn with each key, which lives until the next, until ctx ends.
func (p *probeFlag) each(c *cobra.Command, store *db.DB, fn func(key []byte) error) error {
	var keys iter.Seq2[[]byte, error]
	if n, made := p.made(); made {
		keys = keysBetween(store, n)
	} else {
		in, err := openInput(c, p.word)
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("siftdb: --probe is neither a number of keys, such as 100k, nor a file: %w", err)
		}
		if err != nil {
			return err
		}
		defer in.Close() // it was only read
		keys = keysOf(in, p.keys)
	}
	for key, err := range until(c.Context(), keys) {
		if err == nil {
			err = fn(key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// lookUp looks the keys that --probe asks for up in the store, so that its filters have something to answer.
func (p *probeFlag) lookUp(c *cobra.Command, store *db.DB) error {
	start, before := time.Now(), store.Metrics()
	found, missing := int64(0), int64(0)
	err := p.each(c, store, func(key []byte) error {
		there, err := store.Has(key)
		if there {
			found++
		} else {
			missing++
		}
		return err
	})
	if err != nil {
		return err
	}
	did := store.Metrics().Sub(before)
	note(c, "looked up %s: %s there, %s not; %s of table files, in %s",
		plural(found+missing, "key"), humanize.Comma(found), humanize.Comma(missing),
		plural(did.TableReads, "read"), time.Since(start).Round(10*time.Millisecond))
	return nil
}

// keysOf gives the keys of lines that hold a key, alone or before a tab. Each lives until the next.
func keysOf(in *input, form byteForm) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		lines := newPairReader(in, form, formText)
		for {
			key, err := lines.nextKey()
			if err == io.EOF {
				return
			}
			if err != nil {
				err = fmt.Errorf("siftdb: %s: %w", in.name, err)
			}
			if !yield(key, err) || err != nil {
				return
			}
		}
	}
}
