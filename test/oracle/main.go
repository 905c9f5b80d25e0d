// Command oracle writes the test vectors: it asks upstream Kubernetes what it
// would decide for random input and records question and answer. The same
// seed gives the same bytes. README.md beside this file describes the format.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"

	"k8s.io/klog/v2"
)

// A section is one vectors file: its name (without suffix) and what fills it.
// Every section draws from its own stream, so that a change to one leaves the
// others as they were.
type section struct {
	name     string
	generate func(rng *rand.Rand) (any, error)
}

var sections = []section{
	{"placements", generatePlacements},
	{"evictions", generateEvictions},
	{"tolerations", generateTolerationLists},
	{"scalars", generateScalars},
	{"fits", generateFits},
	{"quantities", generateQuantities},
	{"sentences", generateSentences},
}

func main() {
	out := flag.String("out", "vectors", "folder to write the vectors to")
	only := flag.String("only", "", "the one section to write (all when empty)")
	seed := flag.Uint64("seed", 20260801, "seed of the random input")
	flag.Parse()
	log.SetFlags(0)
	// Upstream logs every taint it finds untolerated; that is what the vectors
	// say, so nothing is lost.
	klog.SetOutput(io.Discard)
	klog.LogToStderr(false)
	if err := os.MkdirAll(*out, 0o755); err != nil {
		log.Fatal(err)
	}
	for stream, s := range sections {
		if *only != "" && *only != s.name {
			continue
		}
		body, err := s.generate(rand.New(rand.NewPCG(*seed, uint64(stream)+1)))
		if err != nil {
			log.Fatalf("%s: %v", s.name, err)
		}
		path := filepath.Join(*out, s.name+".json.gz")
		size, err := writeVectors(path, header{Kind: s.name, Upstream: upstreamVersion(), Seed: *seed, Generator: generatorHash()}, body)
		if err != nil {
			log.Fatalf("%s: %v", path, err)
		}
		fmt.Printf("%-24s %7d bytes\n", filepath.Base(path), size)
	}
}
