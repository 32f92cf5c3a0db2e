package db

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"path/filepath"
	"strings"
	"testing"

	"siftdb/internal/fsys"
)

// TestRepairNewerFormat: files of a format that this version does not know are no damage: a repair refuses the store, and
// leaves it as it is.
func TestRepairNewerFormat(t *testing.T) {
	sum := func(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }
	for what, newer := range map[string]func(disk *fsys.Mem) (name string){
		"manifest": func(disk *fsys.Mem) string {
			name := manifestOf(t, disk)
			spoil(t, disk, name, func(b []byte) []byte {
				b[8] = 2
				binary.LittleEndian.PutUint32(b[28:], sum(b[:28]))
				return b
			})
			return name
		},
		"log": func(disk *fsys.Mem) string {
			name := filepath.Join("store", files(t, disk, "store", withSuffix(".wal"))[0])
			spoil(t, disk, name, func(b []byte) []byte {
				b[8] = 2
				binary.LittleEndian.PutUint32(b[36:], sum(b[:36]))
				return b
			})
			return name
		},
		"table": func(disk *fsys.Mem) string {
			name := filepath.Join("store", files(t, disk, "store", withSuffix(".sst"))[0])
			spoil(t, disk, name, func(b []byte) []byte {
				foot := b[len(b)-48:]
				foot[32] = 2
				seed := uint32(len(b) - 48) // of a table's checksums: where the bytes stand
				binary.LittleEndian.PutUint32(foot[36:], crc32.Update(seed, crc32.MakeTable(crc32.Castagnoli), foot[:36]))
				return b
			})
			return name
		},
	} {
		disk, _ := grown(t, false)
		name := newer(disk)
		before := sums(t, disk, "store")
		_, err := Repair(context.Background(), "store", small(disk))
		if err == nil || errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "format") ||
			!strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", what, err)
		}
		if after := sums(t, disk, "store"); after != before {
			t.Errorf("%s: files changed from\n%sto\n%s", what, before, after)
		}
	}
}
