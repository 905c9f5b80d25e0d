// An assembly file makes the compiler accept the bodiless functions of eviction.go.
