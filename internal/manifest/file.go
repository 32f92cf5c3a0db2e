package manifest

import (
	"encoding/binary"
	"path/filepath"

	"siftdb/internal/fsys"
	"siftdb/internal/record"
)

// A manifest is outgrown when the edits in it have passed both slackBytes and slackFactor times its snapshot: then
// a fresh snapshot costs less than the reading of what it replaces.
const (
	slackBytes  = 64 << 10
	slackFactor = 2
)

// file is the manifest that edits are written to. After an error it must not be used any more.
type file struct {
	f      fsys.File
	name   string
	number uint64
	size   int64 // where the next record stands
	synced int64 // what stands before this offset is durable; a seal after it is not
	limit  int64 // the size past which the file is outgrown
}

// encodeHead is what a manifest begins with: the file header and the snapshot.
func encodeHead(number uint64, s *snapshot) []byte {
	b := appendHeader(nil, number)
	payload := s.record().append(nil)
	return record.Append(b, recordFile(number), headerSize, kindSnapshot, synced(0), payload)
}

// synced is the field that every payload begins with.
func synced(offset int64) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(offset)) }

// createFile makes a manifest that holds s. When it returns, the content is durable, the directory entry is not.
// When it fails, the file is removed again.
func createFile(fs fsys.FS, dir string, number uint64, s *snapshot) (*file, error) {
	name := filepath.Join(dir, Name(number))
	f, err := fs.Create(name)
	if err != nil {
		return nil, err
	}
	m := &file{f: f, name: name, number: number}
	head := encodeHead(number, s)
	if err := m.write(head); err != nil {
		m.f.Close()
		fs.Remove(name)
		return nil, err
	}
	m.limit = m.size + max(slackBytes, slackFactor*int64(len(head)))
	return m, nil
}

// append makes one edit durable.
func (m *file) append(number uint64, e *Edit) error {
	payload := editRecord{number: number, edit: *e}.append(nil)
	return m.write(record.Append(nil, recordFile(m.number), m.size, kindEdit, synced(m.synced), payload))
}

// write makes b durable at the end of the file.
func (m *file) write(b []byte) error {
	if _, err := m.f.WriteAt(b, m.size); err != nil {
		return err
	}
	if err := m.f.Sync(); err != nil {
		return err
	}
	m.size += int64(len(b))
	m.synced = m.size
	return nil
}

// seal writes down that everything before is durable, so that damage to it is told from a torn write. The seal
// itself need not be durable.
func (m *file) seal() error {
	b := record.Append(nil, recordFile(m.number), m.size, kindSeal, synced(m.synced))
	if _, err := m.f.WriteAt(b, m.size); err != nil {
		return err
	}
	m.size += int64(len(b))
	return nil
}

func (m *file) outgrown() bool { return m.size > m.limit }
