package main

import (
	"math/rand/v2"
	"time"
	_ "unsafe" // for go:linkname

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/apis/core/v1/helper"
	_ "k8s.io/kubernetes/pkg/controller/tainteviction"
)

const evictionCount = 2000

type evictions struct {
	Cases []evictionCase `json:"cases"`
}

type evictionCase struct {
	Taints         []v1.Taint      `json:"taints"`
	Tolerations    []v1.Toleration `json:"tolerations,omitempty"`
	ComparisonGate bool            `json:"comparisonGate,omitempty"`
	Seconds        *int64          `json:"seconds"`
}

// The two unexported halves of the taint eviction controller's decision.
//
//go:linkname getNoExecuteTaints k8s.io/kubernetes/pkg/controller/tainteviction.getNoExecuteTaints
func getNoExecuteTaints(taints []v1.Taint) []v1.Taint

//go:linkname getMinTolerationTime k8s.io/kubernetes/pkg/controller/tainteviction.getMinTolerationTime
func getMinTolerationTime(tolerations []v1.Toleration) time.Duration

func generateEvictions(rng *rand.Rand) (any, error) {
	result := evictions{}
	for range evictionCount {
		question := evictionCase{Taints: []v1.Taint{}}
		for _, taint := range randomTaints(rng, 4) {
			if chance(rng, 0.7) {
				taint.Effect = v1.TaintEffectNoExecute
			}
			question.Taints = append(question.Taints, taint)
		}
		question.Tolerations = randomTolerations(rng, 5, question.Taints)
		// One untolerated taint settles it, so tolerate most of them somehow.
		if chance(rng, 0.75) {
			for _, taint := range question.Taints {
				toleration := v1.Toleration{Key: taint.Key, Operator: v1.TolerationOpExists, Effect: taint.Effect}
				if chance(rng, 0.4) {
					toleration.Operator, toleration.Value = v1.TolerationOpEqual, taint.Value
				}
				question.Tolerations = append(question.Tolerations, toleration)
			}
			rng.Shuffle(len(question.Tolerations), func(i, j int) {
				question.Tolerations[i], question.Tolerations[j] = question.Tolerations[j], question.Tolerations[i]
			})
		}
		// Endless and short ones side by side, as the first match counts.
		for i := range question.Tolerations {
			toleration := &question.Tolerations[i]
			if toleration.Effect == v1.TaintEffectNoExecute && chance(rng, 0.5) {
				seconds := one(rng, int64(-1), 0, 5, 60, 300, 86400)
				toleration.TolerationSeconds = &seconds
			}
		}
		question.ComparisonGate = comparesTolerations(question.Tolerations) && chance(rng, 0.5)
		if err := setComparisonGate(question.ComparisonGate); err != nil {
			return nil, err
		}
		question.Seconds = secondsUntilEviction(question.Taints, question.Tolerations)
		result.Cases = append(result.Cases, question)
	}
	return result, setComparisonGate(false)
}

// secondsUntilEviction decides as tainteviction.Controller.processPodOnNode
// does: nil for never.
func secondsUntilEviction(all []v1.Taint, tolerations []v1.Toleration) *int64 {
	taints := getNoExecuteTaints(all)
	if len(taints) == 0 {
		return nil
	}
	seconds := int64(0)
	allTolerated, used := helper.GetMatchingTolerations(klog.Background(), taints, tolerations)
	if !allTolerated {
		return &seconds
	}
	wait := getMinTolerationTime(used)
	if wait < 0 {
		return nil
	}
	seconds = int64(wait / time.Second)
	return &seconds
}
