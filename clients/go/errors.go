package countersign

import (
	"fmt"
	"strings"
	"time"
)

// UnreachableError says that there was no answer: nothing is known of what became of the request.
type UnreachableError struct {
	BaseURL string
	Cause   error
}

func (e *UnreachableError) Error() string {
	return fmt.Sprintf("countersign: %s did not answer: %v", e.BaseURL, e.Cause)
}
func (e *UnreachableError) Unwrap() error { return e.Cause }

// RefusedError is an answer of the service that is no success.
type RefusedError struct {
	Status int
	// Code is stable, for programs.
	Code    string
	Message string
	// RequestID is what to quote to whoever runs the service.
	RequestID string
	// RetryAfter is the header as it came: seconds or a date.
	RetryAfter string
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("countersign: %d %s: %s", e.Status, e.Code, e.Message)
}

// OperationFailedError says that the operation was accepted and has ended without success.
type OperationFailedError struct {
	OperationID  string
	Status       string
	StatusReason string
	ErrorCode    string
	ErrorReason  string
}

func (e *OperationFailedError) Error() string {
	reasons := []string{}
	for _, reason := range []string{e.StatusReason, e.ErrorCode, e.ErrorReason} {
		if reason != "" {
			reasons = append(reasons, reason)
		}
	}
	if len(reasons) == 0 {
		reasons = []string{"no reason is given"}
	}
	return fmt.Sprintf("countersign: the operation %s is %s: %s", e.OperationID, e.Status, strings.Join(reasons, ", "))
}

// OperationOpenError says that the operation is still open and goes on; wait for it again by its id.
type OperationOpenError struct {
	OperationID string
	Within      time.Duration
	// Status and StatusReason are what the service showed last; empty when it did not answer.
	Status       string
	StatusReason string
}

func (e *OperationOpenError) Error() string {
	text := fmt.Sprintf("countersign: the operation %s was not final within %s", e.OperationID, e.Within)
	if e.Status != "" {
		text += ": it is " + e.Status
	}
	if e.StatusReason != "" {
		text += " (" + e.StatusReason + ")"
	}
	return text
}

// WebhookRefusedError says that what came as a webhook is not proven to be from the service, or is not from now.
type WebhookRefusedError struct{ Reason string }

func (e *WebhookRefusedError) Error() string { return "countersign: " + e.Reason }
