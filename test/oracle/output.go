package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
)

//go:embed *.go go.mod go.sum
var sources embed.FS

// header says where a vectors file comes from.
type header struct {
	Kind      string `json:"kind"`
	Upstream  string `json:"upstream"`
	Seed      uint64 `json:"seed"`
	Generator string `json:"generator"`
}

// file is the layout of every vectors file.
type file struct {
	Header  header `json:"header"`
	Vectors any    `json:"vectors"`
}

// generatorHash is over the program's sources and the modules it is built
// with: two files with equal seed and hash are equal. (ReadDir sorts.)
func generatorHash() string {
	entries, err := sources.ReadDir(".")
	if err != nil {
		panic(err)
	}
	hash := sha256.New()
	for _, entry := range entries {
		text, err := sources.ReadFile(entry.Name())
		if err != nil {
			panic(err)
		}
		fmt.Fprintf(hash, "%s %d\n", entry.Name(), len(text))
		hash.Write(text)
	}
	return "sha256:" + hex.EncodeToString(hash.Sum(nil))
}

// upstreamVersion is the version of k8s.io/kubernetes this program is built with.
func upstreamVersion() string {
	text, err := sources.ReadFile("go.mod")
	if err != nil {
		panic(err)
	}
	match := regexp.MustCompile(`(?m)^\s*k8s\.io/kubernetes (v\S+)`).FindSubmatch(text)
	if match == nil {
		panic("go.mod does not name k8s.io/kubernetes")
	}
	return string(match[1])
}

// writeVectors writes header and vectors as gzip without a time stamp and
// gives back the size of the file in bytes.
func writeVectors(path string, h header, body any) (int, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(file{Header: h, Vectors: body}); err != nil {
		return 0, err
	}
	var packed bytes.Buffer
	writer, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return 0, err
	}
	if _, err := writer.Write(text.Bytes()); err != nil {
		return 0, err
	}
	if err := writer.Close(); err != nil {
		return 0, err
	}
	return packed.Len(), os.WriteFile(path, packed.Bytes(), 0o644)
}
