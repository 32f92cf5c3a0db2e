package bench

import (
	"slices"
	"strings"
	"testing"

	"siftdb/bloom"
)

// names are the settings of c as rows show them.
func names(c *Config) []string {
	var names []string
	for _, s := range c.settings() {
		names = append(names, s.String())
	}
	return names
}

func TestSettings(t *testing.T) {
	c := Default()
	c.Bits = []Bits{Off, 6, 10}
	if got, want := names(&c), []string{"bits off", "bits 6", "bits 10"}; !slices.Equal(got, want) {
		t.Errorf("as usual: %q, want %q", got, want)
	}
	c.Bits = []Bits{Off, 10}
	c.Plans = []bloom.Plan{bloom.Uniform, bloom.ByLevel}
	c.Families = []Family{Blocked, Ribbon}
	// Blocked filters are the same under both plans.
	want := []string{"bits off", "bits 10, uniform, blocked", "bits 10, uniform, ribbon", "bits 10, ribbon"}
	if got := names(&c); !slices.Equal(got, want) {
		t.Errorf("two plans, two families: %q, want %q", got, want)
	}
}

func TestSettingsAreToldApart(t *testing.T) {
	c := Default()
	c.Bits = []Bits{Off, 10, 12}
	c.Plans = []bloom.Plan{bloom.Uniform, bloom.ByLevel, bloom.Adaptive}
	c.Families = nil
	for _, f := range families {
		c.Families = append(c.Families, f.name)
	}
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	seen := map[string]Setting{}
	for _, s := range c.settings() {
		row := s.row()
		for _, name := range []string{s.String(), s.dir(), row.benchName()} {
			if other, twice := seen[name]; twice {
				t.Errorf("%+v and %+v are both called %q", s, other, name)
			}
			seen[name] = s
		}
		if strings.ContainsAny(s.dir(), " ,/") {
			t.Errorf("%q is no good name for a directory", s.dir())
		}
	}
}

func TestPoliciesOfFamilies(t *testing.T) {
	for family, want := range map[Family]string{
		Recommended: "bits per key 10", Blocked: "blocked 10", Classic: "classic 10", Ribbon: "ribbon 10",
		Fuse: "fuse 10", Cuckoo: "cuckoo 10",
	} {
		if got := (Setting{10, bloom.Uniform, family}).Policy().String(); got != want {
			t.Errorf("%s: policy %q, want %q", family, got, want)
		}
	}
	if got := (Setting{}).Policy(); got != bloom.None {
		t.Errorf("filters off: policy %v", got)
	}
}

func TestParsePlansAndFamilies(t *testing.T) {
	plans, err := ParsePlans("uniform, by-level,adaptive")
	if err != nil || !slices.Equal(plans, []bloom.Plan{bloom.Uniform, bloom.ByLevel, bloom.Adaptive}) {
		t.Errorf("plans %v, %v", plans, err)
	}
	names := strings.Join(FamilyNames(), ",")
	if got, err := ParseFamilies(names); err != nil || len(got) != len(families) {
		t.Errorf("families %v, %v", got, err)
	}
	for list, want := range map[string]string{
		"": `"" is none of recommended`, "bloom": `"bloom" is none of`, "ribbon,ribbon": "twice",
	} {
		if _, err := ParseFamilies(list); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseFamilies(%q): error %v, want one with %q", list, err, want)
		}
	}
	if _, err := ParsePlans("level"); err == nil || !strings.Contains(err.Error(), "by-level") {
		t.Errorf("ParsePlans: %v", err)
	}
}
