package merge

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"testing"

	"siftdb/internal/iter"
	"siftdb/internal/iter/check"
	"siftdb/internal/key"
)

// numbers is an endless source made on the fly: the keys 0, 1, 2 and so on, each in two versions, up to n entries.
type numbers struct {
	iter.Iterator // backwards and seeking: not here
	n, at         int
	user          [8]byte
	value         []byte
	read          func(at int)
}

func (s *numbers) First() bool { s.at = -1; return s.Next() }

func (s *numbers) Next() bool {
	s.at++
	if s.read != nil {
		s.read(s.at)
	}
	binary.BigEndian.PutUint64(s.user[:], uint64(s.at/2))
	return s.at < s.n
}

func (s *numbers) Key() key.Key  { return key.Make(s.user[:], key.Seq(10-s.at%2), key.KindSet) }
func (s *numbers) Value() []byte { return s.value }
func (s *numbers) Err() error    { return nil }

// drain is a Sink that counts.
type drain struct{ size, cuts int64 }

func (d *drain) Add(k key.Key, value []byte) error {
	d.size += int64(len(k.User) + len(value))
	return nil
}
func (d *drain) Size() int64               { return d.size }
func (d *drain) Cut(context.Context) error { d.size = 0; d.cuts++; return nil }

func TestCancellationIsNoticedSoon(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	const when = 12_345
	source := &numbers{n: 1_000_000, read: func(at int) {
		if at == when {
			cancel()
		}
	}}
	_, err := Run(ctx, source, &drain{}, Options{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if source.at > when+1000 {
		t.Errorf("cancelled at entry %d, read on to %d", when, source.at)
	}
}

func TestCancelledBeforeTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	sink := &tables{}
	if _, err := Run(ctx, check.NewSlice(nil), sink, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("nothing to merge: %v", err)
	}
	if _, err := Run(ctx, check.NewSlice(parse("a#1,SET")), sink, Options{}); !errors.Is(err, context.Canceled) || len(sink.work) != 0 {
		t.Errorf("one entry: %v, %v", err, sink.work)
	}
}

func TestErrorsEndTheRun(t *testing.T) {
	broken := errors.New("broken")
	in := func() iter.Iterator { return check.NewSlice(parse("a#9,DEL b#9,SET c#9,SET")) }
	for moves := range 4 {
		sink := &tables{}
		if _, err := Run(context.Background(), check.Failing(in(), moves, broken), sink, Options{}); !errors.Is(err, broken) {
			t.Errorf("source that fails in move %d: %v", moves+1, err)
		}
		if len(sink.done) != 0 {
			t.Errorf("source that fails in move %d: tables %s", moves+1, sink.picture())
		}
	}
	for _, method := range []string{"Add", "Cut"} {
		sink := &tables{fail: map[string]error{method: broken}}
		if _, err := Run(context.Background(), in(), sink, Options{TableSize: 1}); !errors.Is(err, broken) {
			t.Errorf("sink that fails in %s: %v", method, err)
		}
	}
}

func TestBytesOfTheSourceAreNotKept(t *testing.T) {
	entries := check.Generate(seededSource(t), 500, 4)
	want := &tables{}
	if _, err := Run(context.Background(), check.NewSlice(entries), want, Options{Snapshots: []key.Seq{300}}); err != nil {
		t.Fatal(err)
	}
	got := &tables{}
	guarded := check.Guard(t, check.NewSlice(entries))
	if _, err := Run(context.Background(), guarded, got, Options{Snapshots: []key.Seq{300}}); err != nil {
		t.Fatal(err)
	}
	if got.picture() != want.picture() {
		t.Error("another result when the source's bytes change after each move")
	}
}

func TestMemoryDoesNotGrowWithTheInput(t *testing.T) {
	allocations := func(n int) float64 {
		source, sink := &numbers{n: n, value: make([]byte, 100)}, &drain{}
		return testing.AllocsPerRun(3, func() {
			o := Options{TableSize: 1 << 20, Snapshots: []key.Seq{3}, Elide: func([]byte) bool { return true }}
			if _, err := Run(context.Background(), source, sink, o); err != nil {
				t.Fatal(err)
			}
		})
	}
	if few, many := allocations(1000), allocations(200_000); many > few {
		t.Errorf("%v allocations for 1000 entries, %v for 200,000", few, many)
	}
}

func BenchmarkRun(b *testing.B) {
	for _, sources := range []int{1, 4, 16} {
		b.Run(fmt.Sprintf("sources=%d", sources), func(b *testing.B) {
			const entries = 1 << 16
			b.ReportAllocs()
			for b.Loop() {
				children := make([]iter.Iterator, sources)
				for i := range children {
					children[i] = &numbers{n: entries / sources, value: make([]byte, 100)}
				}
				if _, err := Run(context.Background(), iter.NewMerge(children...), &drain{}, Options{TableSize: 1 << 20}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/entries, "ns/entry")
		})
	}
}
