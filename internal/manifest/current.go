package manifest

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"siftdb/internal/corrupt"
	"siftdb/internal/fsys"
)

// CurrentName is the name of the file that names the manifest in force.
const CurrentName = "CURRENT"

// currentLimit is more than the longest line that formatCurrent makes.
const currentLimit = 128

// formatCurrent is the one line of CURRENT.
func formatCurrent(number uint64) string {
	name := Name(number)
	return fmt.Sprintf("%s crc32c=%08x\n", name, checksum([]byte(name)))
}

// parseCurrent reads what formatCurrent wrote, and nothing else.
func parseCurrent(line string) (number uint64, ok bool) {
	name, _, found := strings.Cut(line, " ")
	if !found {
		return 0, false
	}
	number, ok = ParseName(name)
	return number, ok && formatCurrent(number) == line
}

// writeCurrent makes CURRENT name a manifest, which must be durable already, its entry in the directory too.
func writeCurrent(fs fsys.FS, dir string, number uint64) error {
	return fsys.WriteFileAtomic(fs, filepath.Join(dir, CurrentName), []byte(formatCurrent(number)))
}

// readCurrent is the number of the manifest that CURRENT names. The error is the file system's (with
// fs.ErrNotExist where there is no CURRENT) or a *corrupt.Error.
func readCurrent(fs fsys.FS, dir string) (uint64, error) {
	name := filepath.Join(dir, CurrentName)
	f, err := fs.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	buf := make([]byte, currentLimit)
	n, err := f.ReadAt(buf, 0)
	if err != nil && err != io.EOF {
		return 0, err
	}
	number, ok := parseCurrent(string(buf[:n]))
	if !ok {
		return 0, corrupt.New(name, 0, "a line that names a manifest expected, %q found", buf[:n])
	}
	return number, nil
}

// withoutCurrent is the error for a directory that has no CURRENT: it holds no store, or a damaged one.
func withoutCurrent(files fsys.FS, dir string) error {
	names, err := files.List(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("siftdb: manifest: %w", err)
	}
	for _, name := range names {
		is, err := isStoreFile(files, dir, name)
		if err != nil {
			return fmt.Errorf("siftdb: manifest: %w", err)
		}
		if is {
			return corrupt.New(filepath.Join(dir, CurrentName), -1, "missing, but %s is there", name)
		}
	}
	return fmt.Errorf("%w: %s", ErrNoStore, dir)
}

// isStoreFile reports whether a file can only be there because a store is: a table, a log, or a manifest that
// holds more than a new one. A new manifest alone is what a power cut leaves of a store that was being made.
func isStoreFile(files fsys.FS, dir, name string) (bool, error) {
	_, isTable := ParseTableName(name)
	number, isManifest := ParseName(name)
	isLog := isLogName(name)
	if !isTable && !isLog && !isManifest {
		return false, nil
	}
	info, err := files.Stat(filepath.Join(dir, name))
	if err != nil {
		return false, err
	}
	if info.IsDir() { // somebody else's, whatever its name
		return false, nil
	}
	return !isManifest || info.Size() > int64(len(encodeHead(number, newSnapshot()))), nil
}

// isLogName reports whether name is that of a log segment.
func isLogName(name string) bool {
	digits, found := strings.CutSuffix(name, ".wal")
	if !found {
		return false
	}
	_, err := strconv.ParseUint(digits, 10, 64)
	return err == nil
}
