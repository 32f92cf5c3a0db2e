package manifest

import (
	"reflect"
	"slices"
	"testing"

	"siftdb/internal/key"
)

func TestVersionPicture(t *testing.T) {
	v := mustApply(t, &Version{},
		add(0, table(7, "a", "f", 10, 19)),
		add(0, table(9, "c", "k", 20, 29)),
		add(1, table(5, "d", "z", 1, 9), table(4, "", "c c", 1, 9)))
	want := `L0: 000009[c..k] 000007[a..f]
L1: 000004["".."c c"] 000005[d..z]
`
	if got := v.String(); got != want {
		t.Errorf("picture:\n%swant:\n%s", got, want)
	}
	if v.NumTables() != 4 || v.Bytes(1) != 2009 || v.Table(Place{1, 1}).Number != 5 {
		t.Errorf("tables %d, bytes of level 1 %d, table at (1, 1) %v", v.NumTables(), v.Bytes(1), v.Table(Place{1, 1}))
	}
}

func TestOverlapsAgreesWithLookingAtEveryTable(t *testing.T) {
	rng := seeded(t)
	bound := func() []byte {
		switch rng.IntN(8) {
		case 0:
			return nil
		case 1:
			return []byte{}
		}
		return []byte(pair(rng.IntN(676)))
	}
	for range 200 {
		v := randomVersion(t, rng, 12)
		for range 50 {
			lower, upper := bound(), bound()
			for level, tables := range v.Levels {
				var want []*Table
				for _, table := range tables {
					if (upper == nil || string(table.Smallest.User) <= string(upper)) &&
						(lower == nil || string(lower) <= string(table.Largest.User)) {
						want = append(want, table)
					}
				}
				if lower != nil && upper != nil && string(lower) > string(upper) {
					continue // a table may hold both ends of a range that is none
				}
				if got := v.Overlaps(level, lower, upper); !slices.Equal(got, want) {
					t.Fatalf("overlaps of %q..%q in level %d: %v, want %v in\n%v", lower, upper, level, got, want, v)
				}
			}
		}
	}
}

func TestTableNames(t *testing.T) {
	for number, name := range map[uint64]string{0: "000000.sst", 12: "000012.sst", 1234567: "1234567.sst"} {
		if got := TableName(number); got != name {
			t.Errorf("name of %d: %s", number, got)
		}
		if got, ok := ParseTableName(name); !ok || got != number {
			t.Errorf("number of %s: %d, %v", name, got, ok)
		}
	}
	for _, name := range []string{"12.sst", "000012.SST", "000012", ".sst", "+00012.sst", "0000012.sst", "000012.sst.tmp", "99999999999999999999.sst"} {
		if number, ok := ParseTableName(name); ok {
			t.Errorf("%s is taken for table %d", name, number)
		}
	}
}

func TestTablesAreEqualInAllFieldsOrNot(t *testing.T) {
	a := table(1, "", "f", 1, 9)
	b := *a
	b.Smallest.User = nil
	if !a.Equal(&b) {
		t.Error("the empty key differs from itself")
	}
	value := reflect.ValueOf(&b).Elem()
	for i := range value.NumField() {
		b = *a
		switch field := value.Field(i); field.Kind() {
		case reflect.Uint64, reflect.Uint8:
			field.SetUint(field.Uint() + 1)
		case reflect.Int, reflect.Int64:
			field.SetInt(field.Int() + 1)
		case reflect.Float64:
			field.SetFloat(field.Float() + 1)
		case reflect.String:
			field.SetString("other")
		case reflect.Struct:
			field.Set(reflect.ValueOf(key.Make([]byte("other"), 1, key.KindSet)))
		default:
			t.Fatalf("%s is a %v", value.Type().Field(i).Name, field.Kind())
		}
		if a.Equal(&b) {
			t.Errorf("tables that differ in %s are equal", value.Type().Field(i).Name)
		}
	}
}
