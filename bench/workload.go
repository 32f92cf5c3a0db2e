package bench

import "fmt"

// Workload is the keys of a run: those that are put into each store, with their values, and those that are only
// looked up. Both are numbered in ascending order of the keys. A workload answers the same for ever, and to several
// goroutines at once.
type Workload interface {
	// Present is the number of keys in the store.
	Present() int
	// AppendKey appends present key i to dst, 0 <= i < Present().
	AppendKey(dst []byte, i int) []byte
	// AppendValue appends the value of present key i.
	AppendValue(dst []byte, i int) []byte
	// Absent is the number of keys that are in no store.
	Absent() int
	// AppendAbsent appends absent key i, i >= 0. From Absent() on they are others in the same places, where keys are
	// made, or else the same again.
	AppendAbsent(dst []byte, i int) []byte
	// Size is the bytes of all present keys and values.
	Size() int64
	// String says where the keys come from.
	String() string
}

// newWorkload makes the workload that c asks for.
func newWorkload(c *Config) (Workload, error) {
	if c.KeyFile == "" {
		return newGenerated(c.Keys, c.KeyForm, c.ValueSize, c.tables()-1, c.Seed), nil
	}
	w, err := readKeyFiles(c.KeyFile, c.AbsentFile, generatedValue{size: c.ValueSize, seed: c.Seed})
	if err != nil {
		return nil, err
	}
	if c.Layout == Levels && shapeOf(w.Present(), c.Levels, c.Ratio)[0] < minKeysOfLevel {
		return nil, fmt.Errorf("siftdb: bench: %s has %d keys, which is too few for %d levels",
			c.KeyFile, w.Present(), c.Levels)
	}
	if w.Present() < minKeysPerTable*c.tables() {
		return nil, fmt.Errorf("siftdb: bench: %s has %d keys, which is too few for %d tables",
			c.KeyFile, w.Present(), c.tables())
	}
	return w, nil
}
