package memtable

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"siftdb/internal/key"
	"siftdb/internal/striped"
)

// testTree is a tree over an arena of its own, beside the sorted keys that it should have.
type testTree struct {
	tree
	memory arena
	want   [][]byte
	seq    key.Seq
}

func newTestTree(h heads) *testTree {
	tt := new(testTree)
	tt.memory.init(0, nil)
	tt.init(&tt.memory)
	tt.heads = h
	return tt
}

// add adds a version of user.
func (tt *testTree) add(user []byte) {
	tt.seq++
	r, _ := tt.arena.add(key.Make(user, tt.seq, key.KindSet), nil, linksSize)
	i, known := slices.BinarySearchFunc(tt.want, user, bytes.Compare)
	p := tt.find(user)
	if p.found != known {
		panic(fmt.Sprintf("find says %v of %q", p.found, user))
	}
	if known {
		tt.replace(p, r)
		return
	}
	tt.insert(p, r)
	tt.want = slices.Insert(tt.want, i, user)
}

// leaves checks that the leaves hold the keys in order, are linked both ways, and are where the separators say; it
// returns how many there are.
func (tt *testTree) leaves() (n int, err error) {
	i, before := 0, ref(0)
	for at := tt.first; at != 0; at = tt.memory.leafAt(at).next() {
		n++
		l := tt.memory.leafAt(at)
		if l.previous() != before {
			return n, fmt.Errorf("leaf %d is linked to %x before it, not %x", n, l.previous(), before)
		}
		before = at
		for index := range l.len() {
			user := tt.userOf(l.newest(index))
			if i == len(tt.want) || !bytes.Equal(user, tt.want[i]) {
				return n, fmt.Errorf("key %d is %q", i, user)
			}
			if p := tt.find(user); !p.found || p.at != at || p.index != index {
				return n, fmt.Errorf("%q is found at %x, %d; it is at %x, %d", user, p.at, p.index, at, index)
			}
			if head := l.head(index); head != tt.heads.of(user) {
				return n, fmt.Errorf("the head of %q is %x", user, head)
			}
			i++
		}
	}
	if i != len(tt.want) || int(tt.keys.Load()) != i || before != tt.last {
		return n, fmt.Errorf("%d keys, counted as %d, of %d; the last leaf is %x, not %x", i, tt.keys.Load(), len(tt.want),
			tt.last, before)
	}
	if n > 0 && tt.separators.Len() != n-1 {
		return n, fmt.Errorf("%d separators of %d leaves", tt.separators.Len(), n)
	}
	return n, nil
}

// treeKeys are n keys in an order, and what they share.
var treeKeys = []struct {
	name   string
	prefix string
	order  func(rng *rand.Rand, n int) []int
	filled float64 // the part of the leaves' room that must be in use at least
}{
	{"ascending", "", func(_ *rand.Rand, n int) []int { return upTo(n) }, 0.99},
	{"descending", "", func(_ *rand.Rand, n int) []int { order := upTo(n); slices.Reverse(order); return order }, 0.99},
	{"random", "", func(rng *rand.Rand, n int) []int { return rng.Perm(n) }, 0.6},
	{"equal heads", "a prefix that the table does not know of/", func(rng *rand.Rand, n int) []int { return rng.Perm(n) }, 0.6},
	{"overwritten", "", func(rng *rand.Rand, n int) []int { return append(rng.Perm(n), rng.Perm(n)...) }, 0.6},
	{"two ascending", "", func(_ *rand.Rand, n int) (order []int) {
		for i := range n / 2 {
			order = append(order, i, n/2+i)
		}
		return order
	}, 0.9},
	{"descending above full leaves", "", func(_ *rand.Rand, n int) []int {
		order := upTo(n)
		slices.Reverse(order[n/2/leafKeys*leafKeys:])
		return order
	}, 0.6},
	{"descending tens above full leaves", "", func(_ *rand.Rand, n int) []int {
		order := upTo(n)
		above := order[n/2/leafKeys*leafKeys:]
		slices.Reverse(above)
		for ten := range slices.Chunk(above, 10) {
			slices.Reverse(ten)
		}
		return order
	}, 0.6},
}

func upTo(n int) (all []int) {
	for i := range n {
		all = append(all, i)
	}
	return all
}

// TestTreeHoldsKeysInOrder: in whatever order keys come, they are in order, with what their leaves are linked to, and the
// leaves are as full as that order allows; other heads change none of it.
func TestTreeHoldsKeysInOrder(t *testing.T) {
	const n = 10_000
	for _, c := range treeKeys {
		t.Run(c.name, func(t *testing.T) {
			seed := rand.Uint64()
			rng := rand.New(rand.NewPCG(seed, 0))
			tt := newTestTree(heads{})
			for i, number := range c.order(rng, n) {
				before := tt.separators.Len()
				tt.add(fmt.Appendf(nil, "%s%08d", c.prefix, number))
				if split := tt.separators.Len() != before; split && before < 4 || i%2500 == 0 {
					if _, err := tt.leaves(); err != nil {
						t.Fatalf("seed %d, after %d: %v", seed, i+1, err)
					}
				}
			}
			leaves, err := tt.leaves()
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if filled := n / float64(leaves*leafKeys); filled < c.filled {
				t.Errorf("seed %d: %.2f of the leaves are in use", seed, filled)
			}
			for _, prefix := range []string{c.prefix, c.prefix + "0000", "other"} {
				tt.setHeads(heads{[]byte(prefix)})
				tt.add(fmt.Appendf(nil, "%s%08dx", c.prefix, rng.IntN(n)))
				if _, err := tt.leaves(); err != nil {
					t.Fatalf("seed %d: heads after %q: %v", seed, prefix, err)
				}
			}
		})
	}
}

// TestTreeWalks: what up, down, nth and nthLast show, from present and absent keys, is what a sorted list has there.
func TestTreeWalks(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	for _, n := range []int{0, 1, leafKeys, leafKeys + 1, 1000} {
		tt := newTestTree(heads{})
		for _, number := range rng.Perm(n) {
			tt.add(fmt.Appendf(nil, "%08d", 2*number))
		}
		for range 200 {
			user := fmt.Appendf(nil, "%08d", rng.IntN(2*n+2))
			i, found := slices.BinarySearchFunc(tt.want, user, bytes.Compare)
			window := make([]ref, 1+rng.IntN(2*leafKeys))

			up := window[:tt.up(user, window)]
			if want := tt.want[i:min(i+len(window), n)]; !slices.EqualFunc(up, want, tt.isKey) {
				t.Fatalf("seed %d: of %d keys, up from %q gives %d, not %d", seed, n, user, len(up), len(want))
			}
			if found {
				i++
			}
			down := window[len(window)-tt.down(user, window):]
			if want := tt.want[max(i-len(window), 0):i]; !slices.EqualFunc(down, want, tt.isKey) {
				t.Fatalf("seed %d: of %d keys, down from %q gives %d, not %d", seed, n, user, len(down), len(want))
			}
			end := window[len(window)-tt.downFromEnd(window):]
			if want := tt.want[max(n-len(window), 0):]; !slices.EqualFunc(end, want, tt.isKey) {
				t.Fatalf("seed %d: of %d keys, down from the end gives %d, not %d", seed, n, len(end), len(want))
			}
		}
		for i, user := range tt.want {
			if r := tt.nthLast(n - 1 - i); !tt.isKey(r, user) {
				t.Fatalf("seed %d: of %d keys, that before %d others is %q", seed, n, n-1-i, tt.userOf(r))
			}
			if r := tt.nth(i); !tt.isKey(r, user) {
				t.Fatalf("seed %d: of %d keys, that after %d others is %q", seed, n, i, tt.userOf(r))
			}
		}
	}
}

func (tt *testTree) isKey(r ref, user []byte) bool { return bytes.Equal(tt.userOf(r), user) }

// TestReadersFindWhatMovesMeanwhile: a key is found by a reader that comes while its leaf is in use, though its keys
// are given to another leaf as soon as that may be.
func TestReadersFindWhatMovesMeanwhile(t *testing.T) {
	for range 200 {
		tt := newTestTree(heads{})
		user := []byte("user")
		tt.add(user)
		old := tt.memory.leafAt(tt.first)
		lock := tt.locks.of(tt.first)
		lock.Lock()
		var reader sync.WaitGroup
		reader.Go(func() {
			if _, found := tt.get(user); !found {
				t.Error("the key is not found")
			}
		})
		for range 100 {
			runtime.Gosched() // the reader comes to the lock, most times
		}
		if tryLock(&tt.mu) {
			at, other := tt.memory.newLeaf()
			other.copyFrom(old, 0)
			old.setLen(0)
			tt.first, tt.last = at, at
			tt.mu.Unlock()
		}
		lock.Unlock()
		reader.Wait()
	}
}

// tryLock takes mu for writing, if nobody has it.
func tryLock(mu *striped.RWMutex) bool {
	for i := range mu {
		if !mu[i].TryLock() {
			for j := range i {
				mu[j].Unlock()
			}
			return false
		}
	}
	return true
}

// TestKeysAreCountedWhenTheyAreThere: while a key waits for its leaf, it is not counted, so that who looks for the last
// of the keys comes to it.
func TestKeysAreCountedWhenTheyAreThere(t *testing.T) {
	tt := newTestTree(heads{})
	tt.add([]byte("first"))
	lock := tt.locks.of(tt.first)
	for i := range 100 {
		lock.RLock()
		var writer sync.WaitGroup
		writer.Go(func() { tt.add(fmt.Appendf(nil, "key %d", i)) })
		for range 100 {
			runtime.Gosched() // the writer comes to the lock, most times
		}
		if n := tt.keys.Load(); n != int64(i)+1 {
			t.Errorf("%d keys are counted, there are %d", n, i+1)
		}
		lock.RUnlock()
		writer.Wait()
	}
}

// TestWalksBesideAWriter: while leaves are divided, first, midst and last ones, and while heads change, every walk
// shows keys in order, and to it and to searches none is missing that was there before. It is at its best under the
// race detector.
func TestWalksBesideAWriter(t *testing.T) {
	const n = 3000
	for name, at := range map[string]func(int) int{
		"ascending":  func(i int) int { return i },
		"descending": func(i int) int { return n - 1 - i },
		"scattered":  func(i int) int { return i * 7919 % n },
	} {
		tt := newTestTree(heads{})
		var added atomic.Int64
		var readers sync.WaitGroup
		for range 3 {
			readers.Go(func() {
				window := make([]ref, 2*leafKeys)
				for added.Load() < n && !t.Failed() {
					headsLike(&tt.tree)
					if now := int(added.Load()); now > 0 {
						for range 50 {
							user := fmt.Appendf(nil, "%08d", at(rand.IntN(now)))
							if r, found := tt.get(user); !found || !tt.isKey(r, user) {
								t.Errorf("%s: %q is not found", name, user)
							}
						}
					}
					from := rand.IntN(n)
					there := 0
					for i := range int(added.Load()) {
						if at(i) >= from && at(i) < from+len(window) {
							there++
						}
					}
					up := tt.up(fmt.Appendf(nil, "%08d", from), window)
					if !slices.IsSortedFunc(window[:up], tt.compare) || up < there {
						t.Errorf("%s: %d keys are shown from %d on, of %d", name, up, from, there)
					}
					down := tt.down(fmt.Appendf(nil, "%08d", from+len(window)-1), window)
					if !slices.IsSortedFunc(window[len(window)-down:], tt.compare) || down < there {
						t.Errorf("%s: %d keys are shown down to %d, of %d", name, down, from, there)
					}
					before := int(added.Load())
					end := tt.downFromEnd(window)
					if !slices.IsSortedFunc(window[len(window)-end:], tt.compare) || end < min(before, len(window)) {
						t.Errorf("%s: %d keys are shown down from the end, of %d", name, end, before)
					}
				}
			})
		}
		for i := range n {
			tt.add(fmt.Appendf(nil, "%08d", at(i)))
			if i%300 == 0 {
				tt.setHeads(heads{[]byte("0000")[:i/300%5]})
			}
			added.Add(1)
		}
		readers.Wait()
	}
}

func (tt *testTree) compare(a, b ref) int { return bytes.Compare(tt.userOf(a), tt.userOf(b)) }

// TestReadersLetTheWriterThrough: however many goroutines read without a pause, adding goes on beside them.
func TestReadersLetTheWriterThrough(t *testing.T) {
	const (
		adds    = 10_000
		readers = 8
		enough  = 2000 * adds // reads; when readers share a processor with the one who adds, it is some ten for each add
	)
	table := New(0)
	addNumbered(table, 0)
	var added, reads atomic.Int64
	var all sync.WaitGroup
	for range readers {
		all.Go(func() {
			for added.Load() < adds && reads.Add(1) < enough {
				table.Get(numbered(rand.IntN(adds)), key.MaxSeq)
			}
		})
	}
	for i := range adds {
		addNumbered(table, i+1)
		added.Add(1)
		if reads.Load() >= enough {
			t.Errorf("%d reads, and only %d adds", reads.Load(), i+1)
			break
		}
	}
	all.Wait()
}
