package fsys

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// Whatever fails, and wherever the power is cut, the file holds the old content or the new one, and the new one
// when that was promised.
func TestWriteFileAtomic(t *testing.T) {
	cause := errors.New("no")
	for n := int64(1); ; n++ {
		mem := NewMem()
		must(t, WriteFileAtomic(mem, "f", []byte("old content")))
		disk := NewFault(mem)
		check := func(promised bool) {
			for seed := range uint64(20) {
				got := content(t, mem.CrashClone(rand.New(rand.NewPCG(seed, 0))), "f")
				if got != "new" && (promised || got != "old content") {
					t.Errorf("operation %d, seed %d: %q", n, seed, got)
				}
			}
		}
		fail := FailNth(n, cause)
		disk.SetHook(func(op Op, name string) error {
			check(false)
			return fail(op, name)
		})
		err := WriteFileAtomic(disk, "f", []byte("new"))
		check(err == nil)
		if disk.Calls() < n {
			must(t, err)
			break
		}
		if !errors.Is(err, cause) {
			t.Errorf("operation %d: %v", n, err)
		}
		if got := names(t, mem, "/"); !slices.Equal(got, []string{"f"}) {
			t.Errorf("operation %d leaves %q", n, got)
		}
		disk.SetHook(nil)
		must(t, WriteFileAtomic(disk, "f", []byte("new")))
	}
}

func ExampleWriteFileAtomic() {
	disk := NewMem()
	if err := WriteFileAtomic(disk, "CURRENT", []byte("MANIFEST-000001\n")); err != nil {
		fmt.Println(err)
	}
	names, _ := disk.CrashClone(nil).List("/")
	fmt.Println(names)
	// Output: [CURRENT]
}
