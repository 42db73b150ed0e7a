// Reads objects of Kubernetes from standard input, and refuses fields that their types do not have, fields that are
// repeated, and values of the wrong type. Prints the objects as JSON, one a line.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"encoding/json"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/yaml"
)

func run() error {
	scheme := runtime.NewScheme()
	builder := runtime.NewSchemeBuilder(
		appsv1.AddToScheme, autoscalingv2.AddToScheme, batchv1.AddToScheme,
		corev1.AddToScheme, networkingv1.AddToScheme, policyv1.AddToScheme,
	)
	if err := builder.AddToScheme(scheme); err != nil {
		return err
	}
	decoder := serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer()
	documents := yaml.NewYAMLReader(bufio.NewReader(os.Stdin))
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		object, kind, err := decoder.Decode(document, nil, nil)
		if err != nil {
			return fmt.Errorf("%v: %w", kind, err)
		}
		line, err := json.Marshal(object)
		if err != nil {
			return err
		}
		fmt.Println(string(line))
	}
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
