package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"
)

// browser is a Chromium without a window. It is talked to by the DevTools protocol over a pair of pipes: each message
// is JSON with a zero byte behind it. Calls have numbers, answers the number of their call; events have none.
type browser struct {
	t       *testing.T
	to      *os.File
	inbox   chan message
	calls   int
	session string  // of the tab
	events  []event // that came while an answer was waited for
}

type message struct {
	ID        int             `json:"id,omitempty"`
	SessionID string          `json:"sessionId,omitempty"`
	Method    string          `json:"method,omitempty"`
	Params    json.RawMessage `json:"params,omitempty"`
	Result    json.RawMessage `json:"result,omitempty"`
	Error     *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// event is what happened in the tab.
type event struct {
	method string
	params json.RawMessage
}

// patience is how long a browser may take for an answer.
const patience = time.Minute

// startBrowser starts the program with one tab; both end with the test.
func startBrowser(t *testing.T, program string) *browser {
	t.Helper()
	theirs, to, err := os.Pipe()
	fatal(t, err)
	from, answers, err := os.Pipe()
	fatal(t, err)
	command := exec.Command(program, "--headless", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
		"--no-first-run", "--disable-background-networking", "--disable-dev-shm-usage", "--hide-scrollbars",
		"--user-data-dir="+t.TempDir())
	command.ExtraFiles = []*os.File{theirs, answers} // where the browser looks for them: 3 and 4
	var said bytes.Buffer
	command.Stderr = &said
	fatal(t, command.Start())
	theirs.Close()
	answers.Close()
	b := &browser{t: t, to: to, inbox: make(chan message, 1024)}
	go b.receive(from)
	t.Cleanup(func() {
		b.session = ""
		b.call("Browser.close", nil, nil)
		_ = command.Wait()
		to.Close()
		from.Close()
		if t.Failed() {
			t.Logf("the browser said: %s", said.Bytes())
		}
	})
	var target struct {
		ID string `json:"targetId"`
	}
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct {
		ID string `json:"sessionId"`
	}
	b.call("Target.attachToTarget", map[string]any{"targetId": target.ID, "flatten": true}, &attached)
	b.session = attached.ID
	for _, domain := range []string{"Page", "Network", "Runtime", "Log"} {
		b.call(domain+".enable", nil, nil)
	}
	return b
}

func fatal(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// receive reads messages until the browser ends.
func (b *browser) receive(from *os.File) {
	defer close(b.inbox)
	in := newMessages(from)
	for in.Scan() {
		var m message
		if json.Unmarshal(in.Bytes(), &m) == nil {
			b.inbox <- m
		}
	}
}

// call calls a method and reads its result into out, if there is one.
func (b *browser) call(method string, params, out any) {
	b.t.Helper()
	b.calls++
	request := map[string]any{"id": b.calls, "method": method}
	if params != nil {
		request["params"] = params
	}
	if b.session != "" {
		request["sessionId"] = b.session
	}
	bytes, err := json.Marshal(request)
	fatal(b.t, err)
	_, err = b.to.Write(append(bytes, 0))
	fatal(b.t, err)
	answer := b.next(method, func(m message) bool { return m.ID == b.calls })
	if answer.Error != nil {
		b.t.Fatalf("%s: %s", method, answer.Error.Message)
	}
	if out != nil {
		fatal(b.t, json.Unmarshal(answer.Result, out))
	}
}

// await waits for an event.
func (b *browser) await(method string) {
	b.t.Helper()
	for _, e := range b.events {
		if e.method == method {
			return
		}
	}
	b.next(method, func(m message) bool { return m.Method == method })
}

// next gives the first message that is wanted, and keeps the events before it and itself.
func (b *browser) next(what string, wanted func(message) bool) message {
	b.t.Helper()
	late := time.After(patience)
	for {
		select {
		case m, open := <-b.inbox:
			if !open {
				b.t.Fatalf("%s: the browser has ended", what)
			}
			if m.Method != "" {
				b.events = append(b.events, event{m.Method, m.Params})
			}
			if wanted(m) {
				return m
			}
		case <-late:
			b.t.Fatalf("%s: no answer in %v", what, patience)
		}
	}
}

// evaluate runs a script in the page and reads its value into out.
func (b *browser) evaluate(script string, out any) {
	b.t.Helper()
	var answer struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		Exception json.RawMessage `json:"exceptionDetails"`
	}
	b.call("Runtime.evaluate", map[string]any{"expression": script, "returnByValue": true, "awaitPromise": true}, &answer)
	if answer.Exception != nil {
		b.t.Fatalf("the script failed: %s", answer.Exception)
	}
	fatal(b.t, json.Unmarshal(answer.Result.Value, out))
}

// screenshot is the whole page as PNG.
func (b *browser) screenshot() []byte {
	b.t.Helper()
	var shot struct {
		Data []byte `json:"data"` // in base64
	}
	b.call("Page.captureScreenshot", map[string]any{"captureBeyondViewport": true}, &shot)
	return shot.Data
}

// complaints are the errors and warnings in the console since the last navigation, requests the addresses asked for.
func (b *browser) complaints() (errors, requests []string) {
	for _, e := range b.events {
		switch e.method {
		case "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded":
			errors = append(errors, fmt.Sprintf("%s: %s", e.method, e.params))
		case "Network.requestWillBeSent":
			var sent struct {
				Request struct {
					URL string `json:"url"`
				} `json:"request"`
			}
			fatal(b.t, json.Unmarshal(e.params, &sent))
			requests = append(requests, sent.Request.URL)
		}
	}
	return errors, requests
}
