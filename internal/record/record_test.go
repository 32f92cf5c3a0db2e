package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"siftdb/internal/fsys"
)

// open puts bytes into a file.
func open(t testing.TB, content []byte) fsys.File {
	t.Helper()
	f, err := fsys.NewMem().Create("f")
	if err != nil {
		t.Fatal(err)
	}
	if len(content) > 0 {
		if _, err := f.WriteAt(content, 0); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

func reader(t testing.TB, content []byte, file uint64, start int64) *Reader {
	return NewReader(open(t, content), "f", file, start, int64(len(content)))
}

// readAll reads records up to the first that is not sound.
func readAll(r *Reader) (payloads []string, err error) {
	for {
		rec, err := r.Next()
		if err != nil {
			return payloads, err
		}
		payloads = append(payloads, fmt.Sprintf("%d@%d:%s", rec.Kind, rec.Offset, rec.Payload))
	}
}

func TestRoundTrip(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	const start = 40
	file := make([]byte, start)
	var want [][]byte
	for i := range 300 {
		payload := make([]byte, rng.IntN(200))
		if i%50 == 7 {
			payload = make([]byte, rng.IntN(3*chunk))
		}
		for j := range payload {
			payload[j] = byte(rng.Uint32())
		}
		cut := rng.IntN(len(payload) + 1)
		file = Append(file, 9, int64(len(file)), uint8(i%255+1), payload[:cut], payload[cut:])
		want = append(want, payload)
	}
	r := reader(t, file, 9, start)
	for i, payload := range want {
		rec, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if rec.Kind != uint8(i%255+1) || !bytes.Equal(rec.Payload, payload) {
			t.Fatalf("record %d: kind %d, %d bytes", i, rec.Kind, len(rec.Payload))
		}
	}
	if _, err := r.Next(); err != io.EOF {
		t.Fatalf("at the end: %v", err)
	}
}

// golden is three records of file 7 after 4 bytes of something else.
func golden() []byte {
	b := []byte("head")
	b = Append(b, 7, 4, 1)
	b = Append(b, 7, int64(len(b)), 2, []byte("alpha"), nil, []byte("bet"))
	return Append(b, 7, int64(len(b)), 255, []byte{0})
}

func TestGolden(t *testing.T) {
	name := filepath.Join("testdata", "records.golden")
	stored, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(stored, golden()) {
		t.Errorf("the encoder does not give the golden file:\n% x\n% x", golden(), stored)
	}
	got, err := readAll(reader(t, stored, 7, 4))
	if err != io.EOF || fmt.Sprint(got) != "[1@4: 2@17:alphabet 255@38:\x00]" {
		t.Errorf("read %q, %v", got, err)
	}
}

// Every flipped bit is found, and the records after the bad one are found too.
func TestEveryBit(t *testing.T) {
	whole := golden()
	for bit := 4 * 8; bit < len(whole)*8; bit++ {
		flipped := bytes.Clone(whole)
		flipped[bit/8] ^= 1 << (bit % 8)
		r := reader(t, flipped, 7, 4)
		got, err := readAll(r)
		bad := (*Bad)(nil)
		if !errors.As(err, &bad) {
			t.Fatalf("bit %d: read %q, %v", bit, got, err)
		}
		if _, err := r.Next(); !errors.As(err, &bad) {
			t.Fatalf("bit %d: the bad record is not bad again: %v", bit, err)
		}
		next, ok, err := r.FindNext()
		if err != nil || ok != (bad.Offset < 38) {
			t.Fatalf("bit %d: after %d found %d, %v, %v", bit, bad.Offset, next, ok, err)
		}
		if !ok {
			continue
		}
		if rest, err := readAll(r); len(rest)+len(got) != 2 || err != io.EOF {
			t.Fatalf("bit %d: before %q, after %q, %v", bit, got, rest, err)
		}
	}
}

func TestEveryCut(t *testing.T) {
	whole := golden()
	ends := map[int]int{4: 0, 17: 1, 38: 2, len(whole): 3}
	for size := 4; size <= len(whole); size++ {
		got, err := readAll(reader(t, whole[:size], 7, 4))
		if n, clean := ends[size]; clean && (err != io.EOF || len(got) != n) {
			t.Errorf("cut at %d: %q, %v", size, got, err)
		} else if bad := (*Bad)(nil); !clean && !errors.As(err, &bad) {
			t.Errorf("cut at %d: %q, %v", size, got, err)
		}
	}
}

// A sound record of another file, or of another offset of the same file, is not sound here.
func TestPlaceIsChecked(t *testing.T) {
	b := Append(nil, 7, 0, 1, []byte("payload"))
	if got, err := readAll(reader(t, b, 8, 0)); len(got) != 0 || err == io.EOF {
		t.Errorf("as another file: %q, %v", got, err)
	}
	copied := append(bytes.Clone(b), b...)
	r := reader(t, copied, 7, 0)
	if got, err := readAll(r); len(got) != 1 || err == io.EOF {
		t.Errorf("copied behind itself: %q, %v", got, err)
	}
	if _, ok, err := r.FindNext(); ok || err != nil {
		t.Errorf("the copy was found: %v", err)
	}
}

// A length that a file cannot hold asks for no memory.
func TestHugeLength(t *testing.T) {
	b := Append(nil, 7, 0, 1, make([]byte, 100_000))
	f := open(t, b[:1000])
	allocated := testing.AllocsPerRun(10, func() {
		r := NewReader(f, "f", 7, 0, 1000)
		if _, err := r.Next(); err == nil || cap(r.window) > 1000 {
			t.Fatalf("%d bytes of memory, %v", cap(r.window), err)
		}
	})
	if allocated > 10 {
		t.Errorf("%v allocations", allocated)
	}
}

// A file that shrank, and a disk that cannot read, are no bad records.
func TestReadErrors(t *testing.T) {
	b := golden()
	if _, err := readAll(NewReader(open(t, b[:20]), "f", 7, 4, int64(len(b)))); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("shrunken file: %v", err)
	}
	disk := fsys.NewFault(fsys.NewMem())
	f, err := disk.Create("f")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt(b, 0); err != nil {
		t.Fatal(err)
	}
	cause := errors.New("no such luck")
	disk.SetHook(fsys.FailFrom(1, cause, fsys.OpReadAt))
	r := NewReader(f, "f", 7, 4, int64(len(b)))
	if _, err := r.Next(); !errors.Is(err, cause) {
		t.Errorf("got %v", err)
	}
	if _, _, err := r.FindNext(); !errors.Is(err, cause) {
		t.Errorf("got %v", err)
	}
	disk.SetHook(nil)
	if got, err := readAll(r); len(got) != 3 || err != io.EOF {
		t.Errorf("after the disk came back: %q, %v", got, err)
	}
}

func TestAppendDoesNotAllocate(t *testing.T) {
	buf := make([]byte, 0, 4096)
	group, prefix := make([]byte, 120), make([]byte, 8)
	if n := testing.AllocsPerRun(100, func() { buf = Append(buf[:0], 1, 2, 3, prefix, group) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestAppendRefuses(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("kind 0 was taken")
		}
	}()
	Append(nil, 1, 0, 0)
}

func BenchmarkAppend(b *testing.B) {
	buf := make([]byte, 0, 4096)
	group, prefix := make([]byte, 120), make([]byte, 8)
	b.ReportAllocs()
	for b.Loop() {
		buf = Append(buf[:0], 1, 2, 3, prefix, group)
	}
}

func BenchmarkNext(b *testing.B) {
	var file []byte
	for range 1000 {
		file = Append(file, 1, int64(len(file)), 1, make([]byte, 120))
	}
	f := open(b, file)
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		if got, err := count(NewReader(f, "f", 1, 0, int64(len(file)))); got != 1000 || err != io.EOF {
			b.Fatal(got, err)
		}
	}
}

// BenchmarkFindNext is the search through a pre-allocated tail of zeros.
func BenchmarkFindNext(b *testing.B) {
	zeros := make([]byte, 1<<20)
	f := open(b, zeros)
	b.SetBytes(int64(len(zeros)))
	for b.Loop() {
		if _, ok, err := NewReader(f, "f", 1, 0, int64(len(zeros))).FindNext(); ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}

func count(r *Reader) (n int, err error) {
	for {
		if _, err := r.Next(); err != nil {
			return n, err
		}
		n++
	}
}
