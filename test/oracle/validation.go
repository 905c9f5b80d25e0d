package main

import (
	"math/rand/v2"
	"strings"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/apis/core"
	corev1 "k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/pkg/apis/core/validation"
)

const tolerationListCount = 2000

type tolerationLists struct {
	Cases []tolerationList `json:"cases"`
}

type tolerationList struct {
	Tolerations    []v1.Toleration `json:"tolerations"`
	ComparisonGate bool            `json:"comparisonGate,omitempty"`
	Errors         [][2]string     `json:"errors"`
}

func generateTolerationLists(rng *rand.Rand) (any, error) {
	result := tolerationLists{}
	for range tolerationListCount {
		question := tolerationList{Tolerations: []v1.Toleration{}, ComparisonGate: chance(rng, 0.3), Errors: [][2]string{}}
		for range 1 + rng.IntN(4) {
			question.Tolerations = append(question.Tolerations, carelessToleration(rng))
		}
		errs, err := validateTolerations(question.Tolerations, question.ComparisonGate)
		if err != nil {
			return nil, err
		}
		for _, e := range errs {
			question.Errors = append(question.Errors, [2]string{e.Field, e.ErrorBody()})
		}
		result.Cases = append(result.Cases, question)
	}
	return result, nil
}

// carelessToleration draws what people type, mistakes included.
func carelessToleration(rng *rand.Rand) v1.Toleration {
	if chance(rng, 0.35) {
		return randomToleration(rng)
	}
	toleration := v1.Toleration{
		Key: one(rng, "dedicated", "example.com/pool", "", "a/b/c", "/x", "x/", "-x", "x-", "x.", "_x", "Example.com/Pool", "EXAMPLE", "example..com/x",
			"bad key", "ключ", "a_b.c-d/e_f.g-h", "*", "node.kubernetes.io/not-ready", " dedicated", strings.Repeat("k", 63), strings.Repeat("k", 64),
			strings.Repeat("p", 64)+".io/x", strings.Repeat("a.", 126)+"b/x", strings.Repeat("a.", 127)+"b/x", "prefix/"+strings.Repeat("n", 64), "under_score.io/x"),
		Operator: one(rng, v1.TolerationOpEqual, v1.TolerationOpExists, "", "Equal", "Exists", "In", "equal", "NotIn", "Lt", "Gt", "lt", "DoesNotExist", "Equals", "=", "exists ", "\"x\""),
		Value: one(rng, "", "", "rdma", "bad value!", "x/y", "-x", "x-", ".x", "a.b_c-D", "ü", "true", "010", "5", "-5", "+5", "1.5", "0", "-0", "00", "1e3", "9223372036854775807", "-9223372036854775808",
			"9223372036854775808", "99999999999999999999", " 5", strings.Repeat("v", 63), strings.Repeat("v", 64), "a\nb"),
		Effect: one(rng, v1.TaintEffectNoSchedule, v1.TaintEffectNoExecute, v1.TaintEffectPreferNoSchedule, "", "Nope", "noSchedule", "NoScheduleNoAdmit", "NOEXECUTE", "NoSchedule "),
	}
	if chance(rng, 0.4) {
		seconds := one(rng, int64(-5), 0, 30, 300, 9007199254740991)
		toleration.TolerationSeconds = &seconds
		if chance(rng, 0.5) {
			toleration.Effect = v1.TaintEffectNoExecute
		}
	}
	return toleration
}

func validateTolerations(tolerations []v1.Toleration, gate bool) (field.ErrorList, error) {
	internal := make([]core.Toleration, len(tolerations))
	for i := range tolerations {
		if err := corev1.Convert_v1_Toleration_To_core_Toleration(&tolerations[i], &internal[i], nil); err != nil {
			return nil, err
		}
	}
	options := validation.PodValidationOptions{AllowTaintTolerationComparisonOperators: gate}
	return validation.ValidateTolerations(internal, field.NewPath("spec", "tolerations"), options), nil
}
