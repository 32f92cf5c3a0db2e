package db

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"siftdb/sstable"
)

// filterKey is key i of the stores below, in 12 bytes, so that a table of a few dozen KiB holds enough keys for planes.
func filterKey(i int) []byte {
	k := make([]byte, 12)
	copy(k, "key:")
	binary.BigEndian.PutUint64(k[4:], uint64(i))
	return k
}

// filterKeys writes keys 0, 2, 4 and so on below 2n, in an order without pattern, with 8 bytes each; those between them
// are absent.
func filterKeys(t testing.TB, store *DB, n int) {
	t.Helper()
	for _, i := range rand.New(rand.NewPCG(uint64(n), 1)).Perm(n) {
		k := filterKey(2 * i)
		check(t, store.Put(k, k[4:], NoSync))
	}
}

// planed are options under which filterKeys fills many tables of 2000 keys or more, all of whose keys but the last few
// are far down.
func planed(o *Options) {
	o.MemTableSize, o.TableSize, o.BlockSize, o.CacheSize = 256<<10, 24<<10, 4<<10, 64<<20
}

// ledgerHolds checks what the ledger promises at every moment: the total is what is booked for tables and what is
// offered, within the limit, and no table has more in memory than is booked for it.
func ledgerHolds(t testing.TB, store *DB) {
	t.Helper()
	k := store.keeper
	k.mu.Lock()
	defer k.mu.Unlock()
	total := int64(0)
	for table, bytes := range k.booked.by {
		total += bytes
		if resident := table.resident.Load().size(); resident > bytes || bytes <= 0 {
			t.Errorf("%s: %d bytes in memory, %d booked", table.fileName(), resident, bytes)
		}
	}
	offered := int64(0)
	for _, offer := range k.booked.offers {
		offered += offer.size()
	}
	total += offered
	if offered != k.booked.offered {
		t.Errorf("%d bytes are offered, the ledger says %d", offered, k.booked.offered)
	}
	if total != k.booked.total {
		t.Errorf("%d bytes are booked for tables and offers, the total is %d", total, k.booked.total)
	}
}

// ledgerIsExact checks what the ledger promises of a quiet store: what is booked is what the tables have in memory.
func ledgerIsExact(t testing.TB, store *DB) {
	t.Helper()
	ledgerHolds(t, store)
	var m Metrics
	bytes := int64(0)
	defer func() {
		if t.Failed() {
			t.Logf("%d bytes of filters and %d bits, the tables have %d bytes", m.FilterBytes, m.Filter.Bits, bytes)
		}
	}()
	// Filters may move between two looks at them; what is lost in the books stays lost.
	eventually(t, "books that agree with the tables", func() bool {
		bytes = 0
		for info := range store.Tables() {
			bytes += info.Filter.Bits / 8
		}
		m = store.Metrics()
		return m.FilterBytes == bytes && m.Filter.Bits == 8*bytes
	})
	k := store.keeper
	k.mu.Lock()
	defer k.mu.Unlock()
	if n := len(k.booked.offers); n != 0 {
		t.Errorf("%d filters are still offered", n)
	}
}

// span is a piece of a table's file.
type span struct {
	file          string
	offset, bytes int64
}

// readLog notes the reads of table files and which of them are made.
type readLog struct {
	FS
	mu    sync.Mutex
	reads []span
	made  []string
}

func (l *readLog) Create(name string) (File, error) {
	if strings.HasSuffix(name, ".sst") {
		l.mu.Lock()
		l.made = append(l.made, name)
		l.mu.Unlock()
	}
	return l.FS.Create(name)
}

func (l *readLog) Open(name string) (File, error) {
	f, err := l.FS.Open(name)
	if err != nil || !strings.HasSuffix(name, ".sst") {
		return f, err
	}
	return &readLogFile{File: f, log: l, name: filepath.Base(name)}, nil
}

type readLogFile struct {
	File
	log  *readLog
	name string
}

func (f *readLogFile) ReadAt(p []byte, off int64) (int, error) {
	f.log.mu.Lock()
	f.log.reads = append(f.log.reads, span{f.name, off, int64(len(p))})
	f.log.mu.Unlock()
	return f.File.ReadAt(p, off)
}

// since gives what was read and made since the last call.
func (l *readLog) since() (reads []span, made []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	reads, made = l.reads, l.made
	l.reads, l.made = nil, nil
	return reads, made
}

// filterSpan is where a table's file has its filter.
func filterSpan(t testing.TB, disk FS, file string) span {
	t.Helper()
	b := readFile(t, disk, filepath.Join("store", file))
	r, err := sstable.Open(strings.NewReader(string(b)), int64(len(b)), sstable.ReaderOptions{})
	check(t, err)
	for section := range r.Layout() {
		if section.Kind == sstable.SectionFilter {
			return span{file, section.Offset, section.Length}
		}
	}
	t.Fatalf("%s has no filter", file)
	return span{}
}

func (s span) within(o span) bool {
	return s.file == o.file && s.offset >= o.offset && s.offset+s.bytes <= o.offset+o.bytes
}

// loaded has the store's filters brought into memory.
func loaded(t testing.TB, store *DB) {
	t.Helper()
	check(t, store.LoadFilters(context.Background()))
}

// residents pictures the tables of a store, with the planes that each has in memory.
func residents(store *DB) string {
	var b strings.Builder
	level := -1
	for info := range store.Tables() {
		if info.Level != level {
			level = info.Level
			fmt.Fprintf(&b, "\n%d:", level)
		}
		fmt.Fprintf(&b, " %d/%d(%d)", info.ResidentPlanes, info.FilterPlanes, info.Keys)
	}
	return b.String()
}

func wantOptionError(t *testing.T, err error, option string) {
	t.Helper()
	if bad, ok := errors.AsType[*OptionError](err); !ok || bad.Option != option || bad.Reason == "" {
		t.Errorf("%v, want an *OptionError for %q", err, option)
	} else if strings.Count(err.Error(), "siftdb: ") != 1 {
		t.Errorf("%q says siftdb more than once", err)
	}
}
