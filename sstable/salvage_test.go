package sstable

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"siftdb/internal/iter/check"
	"siftdb/internal/key"
)

// salvaged runs Salvage over a file and checks that what it hands over is a part of entries, in order.
func salvaged(t *testing.T, what string, file []byte, entries []check.Entry) (Salvaged, []check.Entry) {
	t.Helper()
	var got []check.Entry
	next := 0
	found, err := Salvage(t.Context(), fileOf(t, file), int64(len(file)), "table", func(k key.Key, value []byte) error {
		for next < len(entries) && key.Compare(entries[next].Key, k) < 0 {
			next++
		}
		if next == len(entries) || key.Compare(entries[next].Key, k) != 0 || !bytes.Equal(entries[next].Value, value) {
			t.Fatalf("%s: %s = %q was never written", what, k, value)
		}
		next++
		got = append(got, check.Entry{Key: k.Clone(), Value: bytes.Clone(value)})
		return nil
	})
	if err != nil || found.Entries != uint64(len(got)) {
		t.Fatalf("%s: %v, says %d entries, %d came", what, err, found.Entries, len(got))
	}
	return found, got
}

// coversLoss asserts that each entry that is missing lies in a gap.
func coversLoss(t *testing.T, what string, found Salvaged, got, entries []check.Entry) {
	t.Helper()
	have := make(map[string]bool)
	for _, e := range got {
		have[e.Key.String()] = true
	}
	for _, e := range entries {
		if !have[e.Key.String()] && !inGap(found.Gaps, e.Key.User) {
			t.Fatalf("%s: %s is missing and in no gap of %+v", what, e.Key, found.Gaps)
		}
	}
}

func inGap(gaps []Gap, user []byte) bool {
	for _, g := range gaps {
		if (g.After == nil || bytes.Compare(user, g.After) >= 0) && (g.Before == nil || bytes.Compare(user, g.Before) <= 0) {
			return true
		}
	}
	return false
}

// TestSalvageSound hands over all of a sound table, with and without an index to go by.
func TestSalvageSound(t *testing.T) {
	entries, good, p := damageTable(t)
	for what, file := range map[string][]byte{
		"sound":          good,
		"damaged index":  flipped(good, int(p.DataBytes+p.FilterBytes)+3),
		"damaged footer": flipped(good, len(good)-20), "no magic": flipped(good, len(good)-1),
		"damaged filter": flipped(good, int(p.DataBytes)+70), "damaged properties": flipped(good, len(good)-footerSize-10),
		"no tail": good[:p.DataBytes+p.FilterBytes], "no filter and no tail, but for a head": good[:p.DataBytes+70],
		"junk behind": append(bytes.Clone(good), "junk junk junk junk junk junk junk junk junk junk junk junk"...),
	} {
		found, got := salvaged(t, what, file, entries)
		coversLoss(t, what, found, got, entries)
		if len(found.Gaps) > 0 || found.Blocks != p.DataBlocks {
			t.Errorf("%s: %d of %d blocks, gaps %+v", what, found.Blocks, p.DataBlocks, found.Gaps)
		}
	}
}

func flipped(file []byte, at int) []byte {
	file = bytes.Clone(file)
	file[at] ^= 0x10
	return file
}

// TestSalvageEveryFlip: one flipped byte costs one block at most, also where the index is gone as well (COR-02).
func TestSalvageEveryFlip(t *testing.T) {
	entries, good, p := damageTable(t)
	step := 1
	if testing.Short() {
		step = 7
	}
	for _, blind := range []bool{false, true} {
		for at := 0; at < len(good); at += step {
			file := flipped(good, at)
			if blind {
				file = file[:p.DataBytes+p.FilterBytes]
				if at >= len(file) {
					break
				}
			}
			found, got := salvaged(t, "flip", file, entries)
			coversLoss(t, "flip", found, got, entries)
			if inData := at < int(p.DataBytes); !inData && len(got) != len(entries) && !blind || found.Blocks+1 < p.DataBlocks {
				t.Fatalf("blind %v, byte %d flipped: %d of %d blocks", blind, at, found.Blocks, p.DataBlocks)
			}
		}
	}
}

// TestSalvageEveryCut: of a file cut short the blocks before the cut are there, and the loss is told.
func TestSalvageEveryCut(t *testing.T) {
	entries, good, p := damageTable(t)
	for n := range good {
		found, got := salvaged(t, "cut", good[:n], entries)
		if n < int(p.DataBytes) {
			coversLoss(t, "cut", found, got, entries)
		} else if len(got) != len(entries) {
			t.Fatalf("cut to %d bytes behind the data: %d of %d entries", n, len(got), len(entries))
		}
	}
}

// TestSalvageBlocksElsewhere: a block that stands in another place than it was written to is not handed over.
func TestSalvageBlocksElsewhere(t *testing.T) {
	entries := numbered(400, 30)
	for i := range entries { // of one size, so that blocks are
		entries[i].Key.Trailer = key.MakeTrailer(key.Seq(1000+i), key.KindSet)
	}
	o := filtered()
	o.BlockSize, o.Compression = 512, NoCompression
	f, p := write(t, o, entries)
	good := contents(t, f)
	r := open(t, f, p.FileSize, p.TailSize)
	a, b := r.index.block(2), r.index.block(5)
	if a.length != b.length {
		t.Fatalf("blocks of %d and %d bytes", a.length, b.length)
	}
	file := bytes.Clone(good)
	copy(file[a.offset:a.end()], good[b.offset:b.end()])
	copy(file[b.offset:b.end()], good[a.offset:a.end()])
	for what, file := range map[string][]byte{"with index": file, "without": file[:p.DataBytes+p.FilterBytes]} {
		found, got := salvaged(t, what, file, entries)
		coversLoss(t, what, found, got, entries)
		if found.Blocks != p.DataBlocks-2 || len(found.Gaps) != 2 {
			t.Errorf("%s: %d of %d blocks, gaps %+v", what, found.Blocks, p.DataBlocks, found.Gaps)
		}
	}
}

// TestSalvageErrors: what is no damage comes back as it is.
func TestSalvageErrors(t *testing.T) {
	_, good, p := damageTable(t)
	mine := errors.New("mine")
	for what, file := range map[string][]byte{"index": good, "no index": good[:p.DataBytes+p.FilterBytes]} {
		refuses := func(key.Key, []byte) error { return mine }
		if _, err := Salvage(t.Context(), fileOf(t, file), int64(len(file)), "table", refuses); err != mine {
			t.Errorf("%s: %v", what, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := Salvage(ctx, fileOf(t, file), int64(len(file)), "table", nil); err != context.Canceled {
			t.Errorf("%s: %v", what, err)
		}
		if _, err := Salvage(t.Context(), failingAt{mine}, int64(len(file)), "table", nil); !errors.Is(err, mine) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

type failingAt struct{ err error }

func (f failingAt) ReadAt([]byte, int64) (int, error) { return 0, f.err }
