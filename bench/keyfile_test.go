package bench

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// writeKeys makes a key file, compressed if its name says so.
func writeKeys(t *testing.T, name, text string) string {
	t.Helper()
	content := []byte(text)
	if strings.HasSuffix(name, ".gz") {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if _, err := z.Write(content); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		content = b.Bytes()
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func keysOf(w Workload) (present, values, absent []string) {
	for i := range w.Present() {
		present = append(present, string(w.AppendKey(nil, i)))
		values = append(values, string(w.AppendValue(nil, i)))
	}
	for i := range w.Absent() {
		absent = append(absent, string(w.AppendAbsent(nil, i)))
	}
	return present, values, absent
}

func TestKeyFiles(t *testing.T) {
	for _, suffix := range []string{"", ".gz"} {
		present := writeKeys(t, "present.tsv"+suffix, "b\tsecond\textra\r\na\told\n\nc\t\na\tnew\nbare")
		absent := writeKeys(t, "absent.txt"+suffix, "bb\nab\tleft out\nab\n")
		w, err := readKeyFiles(present, absent, generatedValue{size: 5})
		if err != nil {
			t.Fatal(err)
		}
		keys, values, missing := keysOf(w)
		if got := strings.Join(keys, "|"); got != "a|b|bare|c" {
			t.Errorf("present keys %s", got)
		}
		values[2] = strings.Repeat("v", len(values[2])) // made, not read
		if got := strings.Join(values, "|"); got != "new|second\textra|vvvvv|" {
			t.Errorf("values %q", got)
		}
		if got := strings.Join(missing, "|"); got != "ab|bb" {
			t.Errorf("absent keys %s", got)
		}
		if want := int64(len("a"+"new"+"b"+"second\textra"+"bare"+"vvvvv"+"c") + 0); w.Size() != want {
			t.Errorf("size %d, want %d", w.Size(), want)
		}
	}
}

func TestKeyFileWithoutAbsentKeys(t *testing.T) {
	present := writeKeys(t, "present.txt", "a\nb\nb\x00\nc\n")
	w, err := readKeyFiles(present, "", generatedValue{})
	if err != nil {
		t.Fatal(err)
	}
	_, _, absent := keysOf(w)
	if got := strings.Join(absent, "|"); got != "a\x00|b\x00\x00" {
		t.Errorf("absent keys %q", got)
	}
}

func TestKeyFileFaults(t *testing.T) {
	good := writeKeys(t, "good.txt", "a\nb\n")
	for _, c := range []struct {
		name, present, absent, want string
	}{
		{"missing", filepath.Join(t.TempDir(), "nothing"), "", "no such file"},
		{"empty", writeKeys(t, "empty.txt", "\n\n"), "", "no keys"},
		{"not gzip", func() string {
			path := writeKeys(t, "plain.txt", "a text that is not compressed\n")
			if err := os.Rename(path, path+".gz"); err != nil {
				t.Fatal(err)
			}
			return path + ".gz"
		}(), "", "gzip"},
		{"absent key is present", good, writeKeys(t, "absent.txt", "x\n\nb\n"), `line 3: "b" is also in`},
	} {
		_, err := readKeyFiles(c.present, c.absent, generatedValue{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
}
