package main

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"

	"k8s.io/apimachinery/pkg/api/resource"
)

const quantityCount = 1200

type quantities struct {
	Cases []quantityCase `json:"cases"`
}

type quantityCase struct {
	Text       string `json:"text"`
	Value      string `json:"value,omitempty"`
	MilliValue string `json:"milliValue,omitempty"`
	Canonical  string `json:"canonical,omitempty"`
	Error      string `json:"error,omitempty"`
}

var quantitySuffixes = []string{"", "", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "e3", "E3", "e-3", "E+6", "e0", "e18"}

func generateQuantities(rng *rand.Rand) (any, error) {
	result := quantities{}
	seen := map[string]bool{}
	ask := func(text string) {
		if seen[text] {
			return
		}
		seen[text] = true
		answer := quantityCase{Text: text}
		quantity, err := resource.ParseQuantity(text)
		if err != nil {
			answer.Error = err.Error()
		} else {
			// Negative amounts pass no validation, and upstream's rounding of
			// those that it keeps as big decimals is wrong by billions.
			if quantity.Sign() >= 0 && fitsInt64(quantity, 1) {
				answer.Value = strconv.FormatInt(quantity.Value(), 10)
			}
			if quantity.Sign() >= 0 && fitsInt64(quantity, 1000) {
				answer.MilliValue = strconv.FormatInt(quantity.MilliValue(), 10)
			}
			// A parsed quantity repeats its text until it has been computed with.
			quantity.Add(resource.Quantity{})
			answer.Canonical = quantity.String()
		}
		result.Cases = append(result.Cases, answer)
	}
	for _, text := range []string{"", " ", "0", "-0", "+0", "00", "0.0", ".", "-", "+", ".5", "5.", "1.", "1..2", "1.2.3", "--1", "+-1", "1 Gi", " 1", "1 ", "1gi", "1GI", "1K", "1ki", "1Kib", "1GB", "1MB", "1B", "1b",
		"1e", "1E", "1e+", "1e1.5", "1e400", "1E400", "1e-400", "e3", "m", "Ki", "0x10", "1_000", "1,5", "∞", "NaN", "inf", "١", "100m", "0.1", "0.0001", "1.0001", "0.5m", "1.5m", "1n", "999999999n", "1.1n", "0.1n",
		"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "9223372036854775807m", "9223372036854775807k", "8Ei", "7Ei", "16Ei", "9E", "10E", "92233720368547758070", "123456789012345678901234567890",
		"1.23456789012345678901", "0.1Ki", "1.5Gi", "1.1Gi", "0.0000000001Ei", "12e6", "12E6", "1e3m", "1Kie3", "-1.5", "-100m", "-1Gi", "+5", "+1.5Gi", "1i", "1mi", "1m1", "true", "500000u", "1e-9", "1e-10", "1e18", "1e19"} {
		ask(text)
	}
	for len(result.Cases) < quantityCount {
		ask(randomQuantity(rng))
	}
	return result, nil
}

// fitsInt64 tells whether times × quantity can be had as an int64. Where it
// cannot, upstream's answer wraps around, which is nothing to agree with.
func fitsInt64(quantity resource.Quantity, times int64) bool {
	exact := quantity.AsDec()
	product := new(big.Rat).SetInt(new(big.Int).Mul(exact.UnscaledBig(), big.NewInt(times)))
	power := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(max(int64(exact.Scale()), -int64(exact.Scale()))), nil))
	if exact.Scale() > 0 {
		product.Quo(product, power)
	} else {
		product.Mul(product, power)
	}
	return product.Abs(product).Cmp(new(big.Rat).SetInt64(math.MaxInt64)) <= 0
}

func randomQuantity(rng *rand.Rand) string {
	sign := one(rng, "", "", "", "", "-", "+")
	digits := one(rng,
		func() string { return strconv.Itoa(rng.IntN(20)) },
		func() string { return strconv.Itoa(rng.IntN(5000)) },
		func() string { return strconv.FormatInt(rng.Int64(), 10) },
		func() string { return fmt.Sprintf("%d.%d", rng.IntN(100), rng.IntN(1000)) },
		func() string { return fmt.Sprintf("%d.%09d", rng.IntN(3), rng.IntN(1000000000)) },
		func() string { return fmt.Sprintf("%03d", rng.IntN(100)) },
		func() string { return fmt.Sprintf(".%d", rng.IntN(100)) },
		func() string { return fmt.Sprintf("%d.", rng.IntN(100)) },
	)()
	if chance(rng, 0.12) {
		return sign + digits + one(rng, "Kb", "KB", "gi", "mi", "i", "e", "E+", "m5", " Mi", "Mi ", "%", "b", "K", "g", "mm", "Gi1", "e1e1", "EI", "ee3")
	}
	return sign + digits + one(rng, quantitySuffixes...)
}
