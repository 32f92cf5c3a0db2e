package manifest

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"siftdb/internal/allocs"
	"siftdb/internal/corrupt"
	"siftdb/internal/record"
)

// FuzzDecodeEdit feeds the decoder of payloads: what it takes must come out of the encoder the same.
func FuzzDecodeEdit(f *testing.F) {
	for number, e := range history() {
		f.Add(editRecord{number: uint64(number), edit: *e}.append(nil))
	}
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		var r editRecord
		var err error
		allocs.Little(t, 16, len(b), 64<<10, func() { r, err = decodeEdit(b) })
		if err != nil {
			var at *payloadError
			if !errors.As(err, &at) || at.offset < 0 || at.offset > len(b) {
				t.Fatalf("error %v", err)
			}
			return
		}
		again, err := decodeEdit(r.append(nil))
		if err != nil {
			t.Fatalf("%+v does not come back: %v", r, err)
		}
		if again.edit.String() != r.edit.String() || again.number != r.number || len(again.edit.Added) != len(r.edit.Added) {
			t.Fatalf("%v comes back as %v", &r.edit, &again.edit)
		}
		for i, a := range r.edit.Added {
			if b := again.edit.Added[i]; a.Level != b.Level || !a.Table.Equal(b.Table) {
				t.Fatalf("%+v comes back as %+v", a.Table, b.Table)
			}
		}
	})
}

// FuzzManifest loads any bytes as a manifest. CURRENT names the number of the golden file, so that it is a seed.
func FuzzManifest(f *testing.F) {
	whole, err := os.ReadFile(filepath.Join(golden, "MANIFEST-000007"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add(whole[:headerSize])
	f.Add([]byte{})
	f.Fuzz(loadBytes)
}

// FuzzRecords loads sound records with any payloads, so that the fuzzer need not find checksums. The first byte of
// each part says how long the part is, the second is the record's kind.
func FuzzRecords(f *testing.F) {
	pack := func(kind byte, payload []byte) []byte {
		payload = append(synced(0), payload...)
		return append([]byte{byte(len(payload)), kind}, payload...)
	}
	first := newSnapshot().record()
	seed := pack(kindSnapshot, first.append(nil))
	for i, e := range history()[:4] {
		seed = append(seed, pack(kindEdit, editRecord{number: uint64(i + 1), edit: *e}.append(nil))...)
		seed = append(seed, pack(kindSeal, nil)...)
	}
	f.Add(seed)
	f.Fuzz(func(t *testing.T, b []byte) {
		whole := appendHeader(nil, 7)
		for len(b) >= 2 {
			length, kind := min(int(b[0]), len(b)-2), b[1]
			if kind != 0 {
				whole = record.Append(whole, recordFile(7), int64(len(whole)), kind, b[2:2+length])
			}
			b = b[2+length:]
		}
		loadBytes(t, whole)
	})
}

// loadBytes loads a manifest of these bytes: it must fail as corruption, or give a store that can be gone on with. What
// is remembered of it must be the same then, or more: edits behind a torn end, which need not have been durable.
func loadBytes(t *testing.T, b []byte) {
	disk := newDisk(t)
	put(t, disk, "MANIFEST-000007", b)
	put(t, disk, CurrentName, []byte(formatCurrent(7)))
	s, err := Load(disk, dir)
	var m *Memory
	var forgotten error
	allocs.Little(t, 32, len(b), 64<<10, func() { m, forgotten = Recall(disk, dir, 7) })
	if err != nil {
		if !errors.Is(err, corrupt.ErrCorrupt) {
			t.Fatalf("error %v", err)
		}
		return
	}
	same := forgotten == nil && m.State == s.State() && len(m.Tables) == s.Version().NumTables()
	more := forgotten == nil && m.State.EditNumber > s.State().EditNumber
	if !same && !more || !m.Begun {
		t.Fatalf("%v, remembered %+v, loaded %+v", forgotten, m, s.State())
	}
	mustStore(t, s, &Edit{})
	if again := mustLoad(t, disk); content(again) != content(s) {
		t.Fatalf("%+v, loaded again %+v", s.State(), again.State())
	}
}

// FuzzCurrent reads any bytes as CURRENT: only the very line that is written names a manifest.
func FuzzCurrent(f *testing.F) {
	f.Add([]byte(formatCurrent(7)))
	f.Add([]byte("MANIFEST-000007\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if number, ok := parseCurrent(string(b)); ok && formatCurrent(number) != string(b) {
			t.Fatalf("%q is taken for manifest %d", b, number)
		}
	})
}
