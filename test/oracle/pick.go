package main

import "math/rand/v2"

// one draws one of the choices.
func one[T any](rng *rand.Rand, choices ...T) T {
	return choices[rng.IntN(len(choices))]
}

// chance is true in the given share of cases.
func chance(rng *rand.Rand, share float64) bool {
	return rng.Float64() < share
}

// some draws a few different choices, at most max of them, in random order.
func some[T any](rng *rand.Rand, max int, choices ...T) []T {
	count := rng.IntN(min(max, len(choices)) + 1)
	picked := make([]T, 0, count)
	for _, index := range rng.Perm(len(choices))[:count] {
		picked = append(picked, choices[index])
	}
	return picked
}
