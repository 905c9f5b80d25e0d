package main

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"sigs.k8s.io/yaml"
)

const scalarCount = 1400

type scalars struct {
	Cases []scalarCase `json:"cases"`
}

type scalarCase struct {
	Text     string  `json:"text"`
	Position string  `json:"position"`
	JSON     *string `json:"json,omitempty"`
	Error    string  `json:"error,omitempty"`
}

// scalarDocument puts a scalar's source text into a one-entry document.
var scalarDocument = map[string]string{
	"value":     "v: %s\n",
	"item":      "v:\n- %s\n",
	"flow":      "v: [%s]\n",
	"flowValue": "v: {k: %s}\n",
	"key":       "%s: x\n",
	"flowKey":   "v: {%s: x}\n",
}

var scalarPositions = []string{"value", "item", "flow", "flowValue", "key", "flowKey"}

// Plain scalars whose type is a matter of the reader, and texts around them.
var scalarTexts = strings.Split(`true True TRUE tRUE false False FALSE yes Yes YES yEs no No NO on On ON off Off OFF y Y n N t f
~ null Null NULL nULL none None nil undefined
0 1 -1 +1 00 01 08 09 007 010 -010 +010 0o10 0O10 0o8 -0o17 0x1F 0X1f 0xG -0x1F +0x1F 0b101 0B101 0b2 -0b11 1_000 1__0 _1 1_ 0x_1F 0_10 0b1_0 1,000 12:30 12:30:45 1:60 190:20:30 -12:30 99:99
.5 -.5 +.5 5. -5. 1.0 1.50 -0.0 1e3 1E3 1e+3 1e-3 1.5e3 .5e1 5.e1 1e 1e400 -1e400 1e-400 1_0.5 1.5_0 1.2.3 1.2.3.4 1e3.5 0.1e1 0e0 e3 +e3 1e03 6.02e23 123e5
.inf .Inf .INF +.inf -.inf -.INF .iNF inf Infinity .nan .NaN .NAN .Nan NaN nan
9007199254740991 9007199254740992 9007199254740993 9223372036854775807 9223372036854775808 -9223372036854775808 -9223372036854775809 18446744073709551615 18446744073709551616 340282366920938463463374607431768211456 0x7fffffffffffffff 0xffffffffffffffff 0x1ffffffffffffffff 01777777777777777777777 0b111111111111111111111111111111111111111111111111111111111111111
2021-01-01 2021-1-1 2021-01-01T00:00:00Z 2021-01-01t00:00:00Z 2021-13-01 2001-12-14T21:59:43.10-05:00 2021-01 20210101 10:00
= << - -- --- + . .. ... ? : , : :: a: :a a:b a#b
"" '' "true" 'true' "1" '1' "null" '~' "010" '1e3' "a\tb" "a\u0041" "\x41" "\/" "a\nb" "\q" 'it''s' "say \"hi\"" "\u00e9" "\U0001F600" "\ud83d\ude00" "\0" "\_" "\N" "\e"
!!str 5 !!str !!int 5 !!int "5" !!int x !!float 1 !!bool yes !!bool "yes" !!null x !!null !!str true !!str null ! 5 ! true !local 5 !<tag:yaml.org,2002:str> 5 !!timestamp 2021-01-01 !!binary aGVsbG8= !!binary gIGC !!merge <<
rdma NoSchedule dedicated=rdma nvidia.com/gpu 512Ki 10m 1Gi 100% 5s 1h30m v1 1.37.2 v1.37.2 10.0.0.0/24 fe80::1 a/b/c example.com/pool-1 TRUE1 yesno no-op on-call null-value ~x x~ nodeshutdown`, "\n")

// Texts of more than one word, and those a line list cannot hold.
var scalarPhrases = []string{
	"!!str 5", "!!str", "!!str ''", "!!int 5", "!!int \"5\"", "!!int x", "!!int 1.5", "!!float 1", "!!float \"1\"", "!!float x", "!!bool yes", "!!bool \"yes\"", "!!bool 1", "!!null x", "!!null \"\"", "!!null", "!!str true", "!!str null", "!!str 010", "! 5", "! true", "! \"5\"", "!local 5", "!local true",
	"!<tag:yaml.org,2002:str> 5", "!!timestamp 2021-01-01", "!!binary aGVsbG8=", "!!binary gIGC", "!!binary \"not base64\"", "!!merge <<", "!!seq 5", "!!map 5", "!!set x", "!!omap x", "!!value =",
	"2021-01-01 00:00:00", "2021-01-01 00:00:00 Z", "2001-12-14 21:59:43.10 -5", "2021-01-01 #x", "true # yes", "1 2", "true false", "yes no", "a b  c", "a  b", "say \"hi\" now", "it's", "x'y", "\"a\" b", "- a", "? a", "a: b", "a :b", "a : b", "a, b", "a ,b", "[a", "a]", "{a", "a}", "#a", "a #b", "&a 5", "&a true", "&a \"x\"", "&a", "*a", "*", "&", "|x", ">x", "%x", "@x", "`x", "!", "\"", "'", "\"a", "'a", "\"a\"b", "\t5", "5\t", " 5", "5 ", "\ttrue", "", " ",
	"\"line one\n  line two\"", "'line one\n\n  line three'", "plain one\n  plain two", "\"5\n  \"", "10\n  20", "\"esc \\\n  aped\"", "\"é\"", "é", "日本", "\u00a0", "5\u00a0", "\ufeff5", "\u2028", "\x7f", "a\x00b", "\x01", "\xff", "1\u0660", "１", "ｔｒｕｅ",
	"|\n  5", "|-\n  5", "|-\n  true", "|+\n  5\n", ">\n  a\n  b", ">-\n  a\n  b\n\n  c", "|2\n    a", "|\n", "|-\n", "|0\n  a", "|-2\n   a", "|10\n  a", "|x\n  a", "|\n  a\n b", "|\n  a\n\n  b\n", ">+\n  a\n\n", "| # note\n  a", "!!int |-\n  5", "!!str |\n  5", "|\n\ta", "|\n  a\tb", "|\n  ---\n  a", "|-\n  # not a comment",
	"{}", "[]", "{a: 1}", "[1, true]", "{a: {b: c}}", "[[], {}]", "{a}", "{a: }", "{? a : b}", "[a: b]", "[,]", "[a,]", "{,}", "{a: 1, a: 2}", "{1: a}", "{true: a}", "{null: a}", "{~: a}", "{1.5: a}", "{[1]: a}", "{<<: {a: 1}}", "{<<: [{a: 1}, {b: 2}]}", "{<<: 5}", "{a: 1, <<: {a: 2, b: 3}}",
}

func generateScalars(rng *rand.Rand) (any, error) {
	result := scalars{}
	seen := map[string]bool{}
	ask := func(text, position string) {
		if id := position + " " + text; !seen[id] {
			seen[id] = true
			result.Cases = append(result.Cases, readScalar(text, position))
		}
	}
	var words []string
	for _, line := range scalarTexts {
		words = append(words, strings.Fields(line)...)
	}
	for _, word := range words {
		ask(word, "value")
		ask(word, one(rng, "flow", "flowValue", "item"))
		if chance(rng, 0.4) {
			ask(word, one(rng, "key", "flowKey"))
		}
	}
	for _, phrase := range scalarPhrases {
		ask(phrase, "value")
		if !strings.Contains(phrase, "\n") {
			ask(phrase, one(rng, scalarPositions[1:]...))
		}
	}
	for len(result.Cases) < scalarCount {
		ask(randomScalar(rng, words), one(rng, scalarPositions...))
	}
	fmt.Printf("  %d scalars\n", len(result.Cases))
	return result, nil
}

// randomScalar draws numbers in every notation, words bent out of shape, and
// either in quotes.
func randomScalar(rng *rand.Rand, words []string) string {
	text := one(rng,
		func() string { return one(rng, "", "-", "+") + digits(rng, "0123456789", 6) },
		func() string {
			return one(rng, "", "-", "+") + one(rng, "0x", "0o", "0b", "0X", "0") + digits(rng, "01789abF_", 5)
		},
		func() string {
			return one(rng, "", "-", "+") + digits(rng, "0123456789_", 3) + "." + digits(rng, "0123456789_", 3) + one(rng, "", "e3", "E-2", "e+1", "e")
		},
		func() string { return digits(rng, "0123456789", 2) + ":" + digits(rng, "0123456789", 2) },
		func() string {
			return fmt.Sprintf("%04d-%d-%02d%s", rng.IntN(3000), 1+rng.IntN(12), 1+rng.IntN(31), one(rng, "", "T10:00:00Z", " 10:00:00", "t1:2:3.5Z"))
		},
		func() string { return one(rng, words...) + one(rng, "_", ".", "-", "x", "0", "/a", "=b") },
		func() string { return one(rng, "_", ".", "x", "0", "+", "~") + one(rng, words...) },
	)()
	switch {
	case chance(rng, 0.1):
		return "\"" + strings.ReplaceAll(strings.ReplaceAll(text, "\\", "\\\\"), "\"", "\\\"") + "\""
	case chance(rng, 0.1):
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	default:
		return text
	}
}

func digits(rng *rand.Rand, alphabet string, max int) string {
	text := ""
	for range 1 + rng.IntN(max) {
		text += string(alphabet[rng.IntN(len(alphabet))])
	}
	return text
}

// readScalar reads the document as kubectl and the API server do.
func readScalar(text, position string) scalarCase {
	answer := scalarCase{Text: text, Position: position}
	document := fmt.Sprintf(scalarDocument[position], text)
	json, err := yaml.YAMLToJSON([]byte(document))
	if err != nil {
		answer.Error = err.Error()
		return answer
	}
	encoded := string(json)
	answer.JSON = &encoded
	return answer
}
