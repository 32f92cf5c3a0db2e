package cmd

import (
	"os/exec"
	"strings"
	"testing"
)

// TestShellWord: a shell reads each word back as it was.
func TestShellWord(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell here")
	}
	words := []string{"", "plain/dir-1.5", "-d", "~", "#", "a b", "a\nb", "\xff", "größe"}
	for _, special := range "'\"\\$`!*?[]{}()<>|&;=%^~#\t" {
		words = append(words, string(special), "a"+string(special)+"b", string(special)+"$(false)")
	}
	line := "printf '%s\\0'"
	for _, word := range words {
		line += " " + shellWord(word)
	}
	out, err := exec.Command(sh, "-c", line).Output()
	if err != nil {
		t.Fatal(err)
	}
	for i, read := range strings.SplitN(string(out), "\x00", len(words)) {
		if read = strings.TrimSuffix(read, "\x00"); read != words[i] {
			t.Errorf("%q is written %s, which a shell reads as %q", words[i], shellWord(words[i]), read)
		}
	}
	if word := shellWord("plain/dir-1.5"); word != "plain/dir-1.5" {
		t.Errorf("quotes for nothing: %s", word)
	}
}
