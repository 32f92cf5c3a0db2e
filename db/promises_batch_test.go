package db

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"siftdb/internal/commit"
	"siftdb/internal/fsys"
	"siftdb/wal"
)

// promiseBatch: later entries win; a batch can be built before Open and after Close, and applied again, to several
// stores; Apply says if it is too large.
func promiseBatch(t *testing.T) {
	t.Run("later entries win", batchLaterWins)
	t.Run("without a store", batchWithoutStore)
	t.Run("whole or not at all", batchWhole)
	t.Run("sizes", batchSizes)
	t.Run("too large", batchTooLarge)
	t.Run("binary form", batchBinary)
}

func batchLaterWins(t *testing.T) {
	store := memStore(t)
	put(t, store, "before")
	var b Batch
	b.Put([]byte("a"), []byte("1"))
	b.Put([]byte("a"), []byte("2"))
	b.Put([]byte("b"), []byte("1"))
	b.Delete([]byte("b"))
	b.Delete([]byte("c"))
	b.Put([]byte("c"), []byte("1"))
	b.Delete([]byte("before"))
	b.Delete([]byte("never there"))
	check(t, store.Apply(&b))
	for range 2 {
		if got := fmt.Sprint(content(t, store)); got != "map[a:2 c:1]" {
			t.Errorf("the store holds %s", got)
		}
		flush(t, store)
	}
}

func batchWithoutStore(t *testing.T) {
	var b Batch
	b.Put([]byte("before Open"), nil)
	first := memStore(t)
	check(t, first.Apply(&b))
	check(t, first.Close())
	b.Put([]byte("after Close"), nil)
	wantErr(t, "Apply", first.Apply(&b), ErrClosed)
	wantErr(t, "Apply of nothing", first.Apply(nil), ErrClosed)
	second := memStore(t)
	check(t, second.Apply(nil))
	check(t, second.Apply(&b))
	check(t, second.Apply(&b))
	if got := keysOf(t, second, Range{}); fmt.Sprint(got) != "[after Close before Open]" {
		t.Errorf("the second store holds %q", got)
	}
	before := second.Metrics()
	check(t, second.Apply(new(Batch)))
	check(t, second.Apply(new(Batch), Sync))
	if d := second.Metrics().Sub(before); d.Writes != 0 || d.LogBytes != 0 {
		t.Errorf("an empty batch wrote %d entries, %d bytes", d.Writes, d.LogBytes)
	}
}

// batchWhole: snapshots between batches see all of each.
func batchWhole(t *testing.T) {
	disk := fsys.NewMem()
	store := openStore(t, disk)
	for round := range 100 {
		var b Batch
		for i := range 50 {
			b.Put(fmt.Appendf(nil, "%d", i), fmt.Appendf(nil, "%d", round))
		}
		check(t, store.Apply(&b, NoSync))
		if round%10 == 0 {
			oneRound(t, openStore(t, disk.Clone()), 50)
		}
	}
	oneRound(t, store, 50)
}

// oneRound checks that all keys, or none, are there with one value.
func oneRound(t *testing.T, from Reader, keys int) {
	t.Helper()
	values := make(map[string]int)
	for _, v := range content(t, from) {
		values[v]++
	}
	for v, n := range values {
		if len(values) != 1 || n != keys {
			t.Errorf("%d of %d keys have the value %q", n, keys, v)
		}
	}
}

// batchSizes: count, size and operations follow a list (LIM-02).
func batchSizes(t *testing.T) {
	var b Batch
	for round := range 3 {
		var list []Op
		bytes := 0
		for i := range 200 {
			op := Op{Kind: OpPut, Key: make([]byte, i), Value: make([]byte, i*i)}
			if i%3 == 0 {
				op = Op{Kind: OpDelete, Key: op.Key}
				b.Delete(op.Key)
			} else {
				b.Put(op.Key, op.Value)
			}
			list = append(list, op)
			bytes += len(op.Key) + len(op.Value)
		}
		at := 0
		for op := range b.Ops() {
			want := list[at]
			if op.Kind != want.Kind || string(op.Key) != string(want.Key) || string(op.Value) != string(want.Value) {
				t.Fatalf("round %d: operation %d differs", round, at)
			}
			if (op.Value == nil) != (op.Kind == OpDelete) {
				t.Errorf("operation %d has the value %#v", at, op.Value)
			}
			at++
		}
		if b.Len() != len(list) || at != len(list) || b.Size() < bytes || b.Size() > bytes+10*len(list) {
			t.Errorf("round %d: Len %d, %d operations, Size %d; want %d operations of %d bytes and a little",
				round, b.Len(), at, b.Size(), len(list), bytes)
		}
		for range b.Ops() {
			break
		}
		b.Reset()
		if b.Len() != 0 || b.Size() != 0 {
			t.Errorf("after Reset: Len %d, Size %d", b.Len(), b.Size())
		}
	}
}

// batchTooLarge: sizes are counted in 64 bits, so that a sum past 4 GiB does not become a small one (LIM-02). The
// lengths are faked: nothing here takes the memory.
func batchTooLarge(t *testing.T) {
	store := memStore(t)
	tooLarge := func(name string, b *Batch, what string, size, limit int64) {
		t.Helper()
		err := store.Apply(b)
		large, ok := errors.AsType[*TooLargeError](err)
		if !ok || !errors.Is(err, ErrTooLarge) || *large != (TooLargeError{What: what, Size: size, Limit: limit}) {
			t.Errorf("%s: Apply: %v", name, err)
		}
		if dst, err := b.AppendBinary([]byte("kept")); !errors.Is(err, ErrTooLarge) || string(dst) != "kept" {
			t.Errorf("%s: AppendBinary: %q, %v", name, dst, err)
		}
	}
	for _, size := range []int64{MaxBatchSize + 1, 1 << 33, 1<<32 + 10, math.MaxInt64 - 1000} {
		b := Batch{count: 1, size: size - 5}
		b.Put([]byte("k"), []byte("v")) // 5 bytes
		tooLarge(fmt.Sprint(size), &b, "batch", size, MaxBatchSize)
		if b.Size() <= 0 || int64(b.Size()) > size {
			t.Errorf("Size is %d, for %d bytes", b.Size(), size)
		}
		if len(b.ops) != 0 {
			t.Error("what will be refused was kept")
		}
	}
	most := Batch{size: MaxBatchSize - 5}
	most.Put([]byte("k"), []byte("v"))
	if err := most.check(); err != nil {
		t.Errorf("a batch of the largest size: %v", err)
	}
	var b Batch
	b.Put(nil, nil)
	b.Put(make([]byte, MaxKeySize+1), nil)
	b.Put([]byte("k"), nil)
	tooLarge("a key", &b, "key", MaxKeySize+1, MaxKeySize)
	b.Reset()
	b.maxValue = MaxValueSize + 1
	b.count = 1
	tooLarge("a value", &b, "value", MaxValueSize+1, MaxValueSize)
	b.Reset()
	b.Put([]byte("k"), []byte("v"))
	check(t, store.Apply(&b))
	if got := keysOf(t, store, Range{}); fmt.Sprint(got) != "[k]" {
		t.Errorf("the store holds %q", got)
	}
	if uint64(MaxBatchSize)+commit.HeaderSize > uint64(wal.MaxGroup) {
		t.Errorf("a batch of %d bytes does not fit into a log record of %d", uint64(MaxBatchSize), uint64(wal.MaxGroup))
	}
}

func batchBinary(t *testing.T) {
	var b Batch
	b.Put([]byte("a"), []byte("1"))
	b.Delete([]byte("b"))
	b.Put(nil, nil)
	form, err := b.AppendBinary([]byte("before"))
	check(t, err)
	if string(form[:6]) != "before" {
		t.Fatalf("AppendBinary overwrote %q", form[:6])
	}
	form = form[6:]
	var back Batch
	check(t, back.UnmarshalBinary(form))
	again, err := back.AppendBinary(nil)
	check(t, err)
	if string(again) != string(form) || back.Len() != b.Len() || back.Size() != b.Size() {
		t.Errorf("came back as %x, was %x", again, form)
	}
	for i := range form {
		for bit := range 8 {
			bad := append([]byte{}, form...)
			bad[i] ^= 1 << bit
			wantBadForm(t, &back, bad)
		}
		wantBadForm(t, &back, form[:i])
	}
	wantBadForm(t, &back, append(form[:len(form):len(form)], 0))
	wantBadForm(t, &back, nil)
	empty, err := new(Batch).AppendBinary(nil)
	check(t, err)
	check(t, back.UnmarshalBinary(empty))
	if back.Len() != 0 {
		t.Errorf("the empty batch came back with %d operations", back.Len())
	}
}

// wantBadForm checks that bytes are refused with file and offset, and the batch left as it was.
func wantBadForm(t *testing.T, b *Batch, form []byte) {
	t.Helper()
	length, size := b.Len(), b.Size()
	damage, ok := errors.AsType[*CorruptionError](b.UnmarshalBinary(form))
	if !ok || damage.File != "batch" || damage.Offset < 0 || damage.Offset > int64(len(form)) {
		t.Errorf("%x: %v", form, damage)
	}
	if b.Len() != length || b.Size() != size {
		t.Errorf("%x changed the batch", form)
	}
}
