package countersign

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	answerWithin = 30 * time.Second
	firstPause   = 200 * time.Millisecond
	longestPause = 5 * time.Second
	// A service that wants to be left alone for longer is left to the caller.
	longestRetryAfter = 30 * time.Second
)

var transientStatuses = []int{429, 500, 502, 503, 504}

// transport sends one request: signed, with an idempotency key when it writes, and again when it failed in a way that
// may pass. It knows no route. What is no success becomes an error here, so that no caller takes it for one.
type transport struct {
	baseURL     string
	credentials Credentials
	retries     int
	http        *http.Client
	clock       writeClock
}

// do sends it until there is a success, or no hope of one.
func (t *transport) do(request *http.Request) (*http.Response, error) {
	var body []byte
	if request.Body != nil {
		read, err := io.ReadAll(request.Body)
		if err != nil {
			return nil, err
		}
		body = read
		_ = request.Body.Close()
	}
	isWrite := request.Method != http.MethodGet
	if isWrite && request.Header.Get("X-Idempotency-Key") == "" {
		request.Header.Set("X-Idempotency-Key", rand.Text())
	}
	for attempt := 1; ; attempt++ {
		response, err := t.attempt(request, body, isWrite)
		if err == nil {
			return response, nil
		}
		if cause := context.Cause(request.Context()); cause != nil {
			return nil, cause
		}
		pause, again := pauseAfter(attempt, err)
		if !again || attempt > t.retries {
			return nil, err
		}
		if err := sleep(request.Context(), pause); err != nil {
			return nil, err
		}
	}
}

func (t *transport) attempt(request *http.Request, body []byte, isWrite bool) (*http.Response, error) {
	second := time.Now().Unix()
	if isWrite {
		written, err := t.clock.secondFor(request.Method + " " + request.URL.RequestURI() + " " + string(body))
		if err != nil {
			return nil, err
		}
		second = written
	}
	timed, cancel := context.WithTimeout(request.Context(), answerWithin+heldFor(request))
	again := request.Clone(timed)
	// Nothing below sends it again by itself: every attempt is signed anew.
	again.Body, again.GetBody = nil, nil
	again.ContentLength = int64(len(body))
	if len(body) > 0 {
		again.Body = io.NopCloser(bytes.NewReader(body))
	}
	signed := SignRequest(t.credentials, request.Method, request.URL.RequestURI(), body, second)
	for name, values := range signed {
		again.Header[name] = values
	}
	response, err := t.http.Do(again)
	if err != nil {
		cancel()
		return nil, &UnreachableError{BaseURL: t.baseURL, Cause: err}
	}
	if isFile(response) {
		// Read by the caller, for as long as it takes.
		response.Body = &closingBody{ReadCloser: response.Body, close: func() { cancel() }}
		return response, nil
	}
	defer cancel()
	text, err := io.ReadAll(response.Body)
	_ = response.Body.Close()
	if err != nil {
		return nil, &UnreachableError{BaseURL: t.baseURL, Cause: err}
	}
	response.Body = io.NopCloser(bytes.NewReader(text))
	return response, refusalOf(response, text)
}

// closingBody ends the request with its body.
type closingBody struct {
	io.ReadCloser
	close func()
}

func (b *closingBody) Close() error {
	defer b.close()
	return b.ReadCloser.Close()
}

var fileKinds = []string{"text/csv", "application/x-ndjson", "application/vnd.apache.parquet"}

func isFile(response *http.Response) bool {
	kind := response.Header.Get("Content-Type")
	isNamed := func(named string) bool { return strings.HasPrefix(kind, named) }
	return response.StatusCode == http.StatusOK && slices.ContainsFunc(fileKinds, isNamed)
}

func refusalOf(response *http.Response, text []byte) error {
	var envelope struct {
		Success *bool           `json:"success"`
		Message string          `json:"message"`
		Code    json.RawMessage `json:"code"`
	}
	refused := &RefusedError{
		Status:     response.StatusCode,
		Code:       "unexpected_answer",
		Message:    "the answer is not from this service: something stands in between",
		RequestID:  response.Header.Get("X-Request-Id"),
		RetryAfter: response.Header.Get("Retry-After"),
	}
	if json.Unmarshal(text, &envelope) != nil || envelope.Success == nil {
		return refused
	}
	if *envelope.Success && response.StatusCode < 300 {
		return nil
	}
	refused.Code = strings.Trim(string(envelope.Code), `"`)
	refused.Message = envelope.Message
	return refused
}

// isTransient is true for what may be gone a moment later: no answer, an overload, a part of the service that is
// away, or that another client with this key signed an equal write in the same second: nothing was done for this one,
// and the next attempt is signed at another second.
func isTransient(err error) bool {
	var unreachable *UnreachableError
	if errors.As(err, &unreachable) {
		return true
	}
	var refused *RefusedError
	if !errors.As(err, &refused) {
		return false
	}
	if refused.Code == "request_replayed" {
		return true
	}
	return slices.Contains(transientStatuses, refused.Status) && refused.Code != "route_disabled"
}

// pauseAfter says how long to pause after this attempt failed, the first being 1; false when there should be no
// other.
func pauseAfter(attempt int, err error) (time.Duration, bool) {
	if !isTransient(err) {
		return 0, false
	}
	var refused *RefusedError
	if errors.As(err, &refused) {
		if asked, ok := readRetryAfter(refused.RetryAfter); ok {
			return asked, asked <= longestRetryAfter
		}
	}
	longest := min(firstPause<<(min(attempt, 10)-1), longestPause)
	// Callers that failed together do not come back together.
	return longest/2 + mathrand.N(longest/2), true
}

// readRetryAfter takes seconds or a date (RFC 9110, section 10.2.3).
func readRetryAfter(text string) (time.Duration, bool) {
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second, true
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0, false
	}
	return max(0, time.Until(at)), true
}

// heldFor is how long the service was asked to hold its answer (RFC 7240).
func heldFor(request *http.Request) time.Duration {
	var seconds int
	if _, err := fmt.Sscanf(request.Header.Get("Prefer"), "wait=%d", &seconds); err != nil {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

func sleep(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}
