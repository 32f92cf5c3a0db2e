//go:build race

package sstable

// poison overwrites memory that was given back, so that whoever still looks at it does not find what it looks for.
func (m *memory) poison() {
	for i := range (*m)[:cap(*m)] {
		(*m)[:cap(*m)][i] = 0xdd
	}
}
