package bench

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

func cpuModel() string {
	if name, ok := colonValue("/proc/cpuinfo", "model name"); ok {
		return name
	}
	return unknown
}

// memorySize is the machine's memory in bytes; 0 if it does not say.
func memorySize() int64 {
	text, _ := colonValue("/proc/meminfo", "MemTotal")
	kib, err := strconv.ParseInt(strings.TrimSuffix(text, " kB"), 10, 64)
	if err != nil {
		return 0
	}
	return kib << 10
}

// colonValue finds the first line "key : value" of a file.
func colonValue(file, key string) (string, bool) {
	f, err := os.Open(file)
	if err != nil {
		return "", false
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		k, v, _ := strings.Cut(lines.Text(), ":")
		if strings.TrimSpace(k) == key {
			return strings.TrimSpace(v), true
		}
	}
	return "", false
}

// fileSystem names the type of file system that dir is on.
func fileSystem(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return unknown
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	f, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return unknown
	}
	defer f.Close()
	best, name := "", unknown
	for lines := bufio.NewScanner(f); lines.Scan(); {
		point, kind, ok := parseMount(lines.Text())
		// Of the mount points that hold dir the longest counts, and of equal ones the last.
		if ok && holds(point, dir) && len(point) >= len(best) {
			best, name = point, kind
		}
	}
	return name
}

// parseMount reads a line of mountinfo: the mount point is its fifth word, the type the first after " - ".
func parseMount(line string) (point, kind string, ok bool) {
	mount, rest, ok := strings.Cut(line, " - ")
	words, after := strings.Fields(mount), strings.Fields(rest)
	if !ok || len(words) < 5 || len(after) < 1 {
		return "", "", false
	}
	return strings.ReplaceAll(words[4], `\040`, " "), after[0], true
}

func holds(point, dir string) bool {
	return point == "/" || dir == point || strings.HasPrefix(dir, point+"/")
}
