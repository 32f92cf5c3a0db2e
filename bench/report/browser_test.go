package report

import (
	_ "embed"
	"flag"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var (
	browserProgram = flag.String("browser", "", "a Chromium for TestPageInBrowser; empty: it is skipped")
	browserPage    = flag.String("browser.page", "", "the report.html that it opens; empty: one of a result in testdata")
	browserShots   = flag.String("browser.shots", "", "a directory for its screenshots; empty: none are kept")
)

// screens are what the page is looked at on.
var screens = []struct {
	name                 string
	width, height, scale int // in its own pixels; how many of the screenshot one of them is
	phone                bool
	colours              string
}{
	{"wide-light", 1280, 900, 1, false, "light"},
	{"wide-dark", 1280, 900, 1, false, "dark"},
	{"phone-light", 390, 844, 2, true, "light"},
	{"phone-dark", 390, 844, 2, true, "dark"},
}

// inspectJS goes through the page as a reader would, and says what it saw.
//
//go:embed testdata/inspect.js
var inspectJS string

// inspection is what inspectJS says.
type inspection struct {
	Figures    []string // names
	Empty      []string // figures whose drawing is not seen, or has no points that are
	Points     int      // seen
	Silent     int      // points without a value on hovering
	Outside    int      // values that are shown outside the screen
	Toggles    int      // names in legends
	Stuck      int      // of these, such that hide nothing or do not show it again
	Overflow   int      // pixels by which the page is wider than the screen
	Background string
}

func (i *inspection) isWell() bool {
	return len(i.Figures) > 0 && len(i.Empty) == 0 && i.Silent+i.Outside+i.Stuck+i.Overflow == 0
}

// TestPageInBrowser opens the page in a real browser, on wide screens and on phones, in light and dark: each chart is
// drawn, each point tells its value, legends show and hide, nothing sticks out, nothing is in the console, and nothing
// but the file is asked for.
func TestPageInBrowser(t *testing.T) {
	if *browserProgram == "" {
		t.Skip("no -browser")
	}
	name, err := filepath.Abs(*browserPage)
	fatal(t, err)
	if *browserPage == "" {
		name = filepath.Join(t.TempDir(), "report.html")
		fatal(t, os.WriteFile(name, []byte(pageText(t, quick(t))), 0o600))
	}
	address := (&url.URL{Scheme: "file", Path: filepath.ToSlash(name)}).String()
	b := startBrowser(t, *browserProgram)
	backgrounds := map[string][]string{}
	for _, s := range screens {
		b.call("Emulation.setDeviceMetricsOverride", map[string]any{
			"width": s.width, "height": s.height, "mobile": s.phone, "deviceScaleFactor": s.scale,
		}, nil)
		b.call("Emulation.setEmulatedMedia", map[string]any{
			"features": []any{map[string]any{"name": "prefers-color-scheme", "value": s.colours}},
		}, nil)
		b.events = nil
		b.call("Page.navigate", map[string]any{"url": address}, nil)
		b.await("Page.loadEventFired")
		shot := b.screenshot()
		var saw inspection
		b.evaluate(inspectJS, &saw)
		errors, requests := b.complaints()
		t.Logf("%s: %d charts drawn of %d, %d points that tell their value, %d names that show and hide, "+
			"%d lines in the console, %d requests beside the file itself", s.name,
			len(saw.Figures)-len(saw.Empty), len(saw.Figures), saw.Points-saw.Silent, saw.Toggles-saw.Stuck,
			len(errors), len(requests)-1)
		if !saw.isWell() {
			t.Errorf("%s: %+v", s.name, saw)
		}
		if len(errors) > 0 {
			t.Errorf("%s: in the console: %s", s.name, strings.Join(errors, "\n"))
		}
		if !slices.Equal(requests, []string{address}) {
			t.Errorf("%s: requests of %q", s.name, requests)
		}
		if !slices.Contains(backgrounds[s.colours], saw.Background) {
			backgrounds[s.colours] = append(backgrounds[s.colours], saw.Background)
		}
		if *browserShots != "" {
			fatal(t, os.MkdirAll(*browserShots, 0o755))
			fatal(t, os.WriteFile(filepath.Join(*browserShots, s.name+".png"), shot, 0o644))
		}
	}
	if light, dark := backgrounds["light"], backgrounds["dark"]; len(light) != 1 || len(dark) != 1 || light[0] == dark[0] {
		t.Errorf("backgrounds are %v", backgrounds)
	}
}
