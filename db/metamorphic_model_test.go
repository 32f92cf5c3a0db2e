package db

import (
	"fmt"
	"strings"
)

// modelSubject carries scripts out on the model.
type modelSubject struct {
	*model
	views map[string]*modelView
}

// modelView is a snapshot, or an iterator at some place.
type modelView struct {
	*model
	cursor *cursor // nil for a snapshot
	bounds Range
}

func newModelSubject() *modelSubject {
	return &modelSubject{model: newModel(), views: make(map[string]*modelView)}
}

const (
	done    = "ok"
	noView  = "no such view"
	missing = "not found"
)

func (m *modelSubject) write(_ string, b *Batch) string {
	for op := range b.Ops() {
		if op.Kind == OpDelete {
			delete(m.now, string(op.Key))
		} else {
			m.now[string(op.Key)] = string(op.Value)
		}
	}
	return done
}

// in is the state to read: the present one, or that of a snapshot; nil where there is none of that name.
func (m *modelSubject) in(view string) *model {
	if view == "" {
		return m.model
	}
	if v := m.views[view]; v != nil && v.cursor == nil {
		return v.model
	}
	return nil
}

func (m *modelSubject) read(how, key, view string, _ []ReadOption) string {
	state := m.in(view)
	if state == nil {
		return noView
	}
	value, there := state.now[key]
	switch {
	case how == "has":
		return fmt.Sprint(there)
	case !there:
		return missing
	}
	return spell([]byte(value))
}

func (m *modelSubject) scan(r Range, view string, _ []ReadOption) string {
	state := m.in(view)
	if state == nil {
		return noView
	}
	var shown strings.Builder
	for _, k := range state.keys(r) {
		shown.WriteString(entryText(k, []byte(state.now[k]), r))
	}
	return shown.String()
}

// entryText is an entry as answers show it.
func entryText(key string, value []byte, r Range) string {
	if r.KeysOnly {
		return fmt.Sprintf("%q ", key)
	}
	return fmt.Sprintf("%q=%s ", key, spell(value))
}

func (m *modelSubject) snapshot(view string) string {
	m.views[view] = &modelView{model: m.clone()}
	return done
}

func (m *modelSubject) iterator(view string, r Range, from string) string {
	state := m.in(from)
	if state == nil {
		return noView
	}
	state = state.clone()
	m.views[view] = &modelView{model: state, bounds: r, cursor: state.cursor(r)}
	return done
}

func (m *modelSubject) move(view, step, target string) string {
	v := m.views[view]
	if v == nil || v.cursor == nil {
		return noView
	}
	var there bool
	switch c := v.cursor; step {
	case "first":
		there = c.first()
	case "last":
		there = c.last()
	case "next":
		there = c.next()
	case "prev":
		there = c.prev()
	case "seek-ge":
		there = c.seekGE(target)
	case "seek-lt":
		there = c.seekLT(target)
	}
	if !there {
		return missing
	}
	key := v.cursor.key()
	return entryText(key, []byte(v.now[key]), v.bounds)
}

func (m *modelSubject) close(view string) string {
	if m.views[view] == nil {
		return noView
	}
	delete(m.views, view)
	return done
}

func (m *modelSubject) upkeep(op operation) string {
	switch op[0] {
	case "reopen", "crash", "repair":
		clear(m.views)
	}
	return done
}
