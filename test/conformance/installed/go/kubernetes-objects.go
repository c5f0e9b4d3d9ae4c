// Reads objects of Kubernetes as YAML and prints them as JSON. Each is read into the type of its kind, as the API
// server does with strict validation: a field that is unknown, stands twice or has another form is an error.
package main

import (
	"bytes"
	encoding "encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	apps "k8s.io/api/apps/v1"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	"sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

var kinds = map[string]func() any{
	"apps/v1/Deployment":                      func() any { return &apps.Deployment{} },
	"apps/v1/StatefulSet":                     func() any { return &apps.StatefulSet{} },
	"batch/v1/Job":                            func() any { return &batch.Job{} },
	"networking.k8s.io/v1/NetworkPolicy":      func() any { return &networking.NetworkPolicy{} },
	"policy/v1/PodDisruptionBudget":           func() any { return &policy.PodDisruptionBudget{} },
	"v1/ConfigMap":                            func() any { return &core.ConfigMap{} },
	"v1/Pod":                                  func() any { return &core.Pod{} },
	"v1/Service":                              func() any { return &core.Service{} },
	"v1/ServiceAccount":                       func() any { return &core.ServiceAccount{} },
	"monitoring.coreos.com/v1/PodMonitor":     func() any { return &monitoring.PodMonitor{} },
	"monitoring.coreos.com/v1/ServiceMonitor": func() any { return &monitoring.ServiceMonitor{} },
	"monitoring.coreos.com/v1/PrometheusRule": func() any { return &monitoring.PrometheusRule{} },
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	objects := []any{}
	for _, document := range bytes.Split(append([]byte("\n"), text...), []byte("\n---")) {
		object, err := read(document)
		if err != nil {
			return err
		}
		if object != nil {
			objects = append(objects, object)
		}
	}
	return encoding.NewEncoder(os.Stdout).Encode(objects)
}

func read(document []byte) (any, error) {
	var head struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Metadata   struct {
			Name string `json:"name"`
		} `json:"metadata"`
	}
	if err := yaml.Unmarshal(document, &head); err != nil {
		return nil, err
	}
	if head.Kind == "" {
		return nil, nil
	}
	name := head.APIVersion + "/" + head.Kind
	make, isKnown := kinds[name]
	if !isKnown {
		return nil, fmt.Errorf("%s: of an unknown kind %s", head.Metadata.Name, name)
	}
	object := make()
	text, err := yaml.YAMLToJSONStrict(document)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", head.Kind, head.Metadata.Name, err)
	}
	faults, err := json.UnmarshalStrict(text, object)
	if err := errors.Join(append(faults, err)...); err != nil {
		return nil, fmt.Errorf("%s %s: %w", head.Kind, head.Metadata.Name, err)
	}
	return object, nil
}
