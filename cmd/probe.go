package cmd

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"siftdb/db"
)

// lookUp looks the keys that --probe asks for up in the store, so that its filters have something to answer.
func (f *filtersFlags) lookUp(c *cobra.Command, store *db.DB) error {
	var made count
	if made.Set(f.probe) == nil {
		return lookUpAll(c, store, keysBetween(store, int(made)))
	}
	in, err := openInput(c, f.probe)
	if err != nil {
		return err
	}
	defer in.Close() // it was only read
	return lookUpAll(c, store, keysOf(in, f.keys))
}

func lookUpAll(c *cobra.Command, store *db.DB, keys iter.Seq2[[]byte, error]) error {
	start, before := time.Now(), store.Metrics()
	found, missing := int64(0), int64(0)
	for key, err := range until(c.Context(), keys) {
		if err != nil {
			return err
		}
		there, err := store.Has(key)
		if err != nil {
			return err
		}
		if there {
			found++
		} else {
			missing++
		}
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

// keysBetween makes up to n keys that are not in the store and lie between two that are. Each table's range gets
// a share by its number of entries. Keys live until the next.
func keysBetween(store *db.DB, n int) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		m := &keyMaker{store: store, yield: yield}
		total, passed := tableSums(store).entries, int64(0)
		for t := range store.Tables() {
			passed += int64(t.Entries)
			wanted := int(float64(n) * float64(passed) / float64(total))
			for m.made < wanted {
				before := m.made
				if err := m.walk(t, wanted); err != nil {
					if err != errEnoughKeys {
						yield(nil, err)
					}
					return
				}
				if m.made == before {
					break // there is no room between these keys
				}
			}
		}
	}
}

// errEnoughKeys says that nobody wants more keys.
var errEnoughKeys = errors.New("siftdb: enough keys")

// keyMaker makes keys between existing ones.
type keyMaker struct {
	store          *db.DB
	yield          func([]byte, error) bool
	made           int
	key, candidate []byte
}

// walk makes one key behind each existing key within the range of t, until wanted are made. What is appended to the
// existing key counts up, so that no made key comes twice.
func (m *keyMaker) walk(t db.TableInfo, wanted int) error {
	it := m.store.NewIter(db.Range{Lower: t.Smallest, KeysOnly: true})
	for ok := it.First(); ok && m.made < wanted && bytes.Compare(it.Key(), t.Largest) < 0; {
		m.key = append(m.key[:0], it.Key()...)
		next := t.Largest
		if ok = it.Next(); ok && bytes.Compare(it.Key(), next) < 0 {
			next = it.Key()
		}
		m.candidate = binary.BigEndian.AppendUint32(append(append(m.candidate[:0], m.key...), 0), uint32(m.made))
		if len(m.candidate) > db.MaxKeySize || bytes.Compare(m.candidate, next) >= 0 {
			continue
		}
		m.made++
		if !m.yield(m.candidate, nil) {
			it.Close() // what went wrong does not matter any more
			return errEnoughKeys
		}
	}
	return it.Close()
}
