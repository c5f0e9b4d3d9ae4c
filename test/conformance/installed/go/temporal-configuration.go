// Loads a configuration and a dynamic configuration as Temporal's server does. Prints where the server would keep its
// rows as JSON, and each fault on a line of the standard error.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"

	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/dynamicconfig"
)

func main() {
	log.SetOutput(io.Discard)
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(directory string, dynamic string) error {
	loaded, err := config.LoadConfig("compose", directory, "")
	if err != nil {
		return err
	}
	if err := loaded.Persistence.Validate(); err != nil {
		return err
	}
	contents, err := os.ReadFile(dynamic)
	if err != nil {
		return err
	}
	result := dynamicconfig.ValidateFile(contents)
	for _, fault := range append(result.Errors, result.Warnings...) {
		fmt.Fprintln(os.Stderr, fault)
	}
	return json.NewEncoder(os.Stdout).Encode(loaded.Persistence.DataStores)
}
