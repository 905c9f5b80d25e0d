package main

import (
	"fmt"
	"math/rand/v2"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The vocabulary is small on purpose: random questions must often agree with
// each other, or every answer would be "no".
var (
	taintKeys   = []string{"dedicated", "rdma", "nvidia.com/gpu", "example.com/pool", "sla", "spot"}
	taintValues = []string{"", "rdma", "gpu", "batch", "true", "5", "10", "-3", "007", "9223372036854775807", "9223372036854775808"}
	// What controllers and people put on nodes beside dedicated pools; the
	// DaemonSet controller tolerates some of these of its own accord.
	systemTaints = []v1.Taint{
		{Key: v1.TaintNodeNotReady, Effect: v1.TaintEffectNoSchedule},
		{Key: v1.TaintNodeNotReady, Effect: v1.TaintEffectNoExecute},
		{Key: v1.TaintNodeUnreachable, Effect: v1.TaintEffectNoSchedule},
		{Key: v1.TaintNodeUnreachable, Effect: v1.TaintEffectNoExecute},
		{Key: v1.TaintNodeMemoryPressure, Effect: v1.TaintEffectNoSchedule},
		{Key: v1.TaintNodeDiskPressure, Effect: v1.TaintEffectNoSchedule},
		{Key: v1.TaintNodePIDPressure, Effect: v1.TaintEffectNoSchedule},
		{Key: v1.TaintNodeNetworkUnavailable, Effect: v1.TaintEffectNoSchedule},
		{Key: v1.TaintNodeOutOfService, Value: "nodeshutdown", Effect: v1.TaintEffectNoExecute},
		{Key: "node-role.kubernetes.io/control-plane", Effect: v1.TaintEffectNoSchedule},
		{Key: "node.cloudprovider.kubernetes.io/uninitialized", Value: "true", Effect: v1.TaintEffectNoSchedule},
		{Key: "node.kubernetes.io/unschedulable", Effect: v1.TaintEffectNoExecute},
	}
	cordonTaint  = v1.Taint{Key: v1.TaintNodeUnschedulable, Effect: v1.TaintEffectNoSchedule}
	taintEffects = []v1.TaintEffect{v1.TaintEffectNoSchedule, v1.TaintEffectNoSchedule, v1.TaintEffectNoExecute, v1.TaintEffectPreferNoSchedule}

	labelValues = map[string][]string{
		"pool":                          {"rdma", "gpu", "general", "batch"},
		"kubernetes.io/os":              {"linux", "linux", "linux", "windows"},
		"topology.kubernetes.io/zone":   {"a", "b", "c"},
		"example.com/generation":        {"1", "2", "10", "-4", "007", "x", ""},
		"feature.node.kubernetes.io/ib": {"true", "false", ""},
		"example.com/slots":             {"8", "16", "9223372036854775807", "9223372036854775808", "+5", "1e3", "4.5"},
	}
	labelKeys = []string{"pool", "kubernetes.io/os", "topology.kubernetes.io/zone", "example.com/generation", "feature.node.kubernetes.io/ib", "example.com/slots"}
)

func randomTaint(rng *rand.Rand) v1.Taint {
	if chance(rng, 0.3) {
		return one(rng, systemTaints...)
	}
	return v1.Taint{Key: one(rng, taintKeys...), Value: one(rng, taintValues...), Effect: one(rng, taintEffects...)}
}

// randomTaints keeps key and effect unique, as the API server does.
func randomTaints(rng *rand.Rand, max int) []v1.Taint {
	var taints []v1.Taint
	seen := map[string]bool{}
	for range rng.IntN(max + 1) {
		taint := randomTaint(rng)
		id := taint.Key + ":" + string(taint.Effect)
		if !seen[id] {
			seen[id] = true
			taints = append(taints, taint)
		}
	}
	return taints
}

func randomNode(rng *rand.Rand, index int) *v1.Node {
	name := fmt.Sprintf("node-%d", index)
	labels := map[string]string{v1.LabelHostname: name}
	for _, key := range labelKeys {
		if chance(rng, 0.7) {
			labels[key] = one(rng, labelValues[key]...)
		}
	}
	node := &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}
	if !chance(rng, 0.15) {
		node.Spec.Taints = randomTaints(rng, 4)
	}
	if chance(rng, 0.12) {
		node.Spec.Unschedulable = true
		// The taint follows the field, but not in the same moment.
		if chance(rng, 0.8) {
			node.Spec.Taints = append(node.Spec.Taints, cordonTaint)
		}
	}
	return node
}

// randomToleration draws one that the API server accepts (with the gate for
// Lt and Gt on) but for a few that only a controller's code can meet.
func randomToleration(rng *rand.Rand) v1.Toleration {
	toleration := v1.Toleration{
		Key:    one(rng, taintKeys...),
		Effect: one(rng, v1.TaintEffectNoSchedule, v1.TaintEffectNoSchedule, v1.TaintEffectNoExecute, v1.TaintEffectNoExecute, v1.TaintEffectPreferNoSchedule, ""),
	}
	if chance(rng, 0.35) {
		taint := one(rng, append(systemTaints, cordonTaint)...)
		toleration.Key = taint.Key
		if chance(rng, 0.6) {
			toleration.Effect = taint.Effect
		}
	}
	switch kind := rng.Float64(); {
	case kind < 0.30:
		toleration.Operator = v1.TolerationOpExists
	case kind < 0.50:
		toleration.Operator = v1.TolerationOpEqual
		toleration.Value = one(rng, taintValues...)
	case kind < 0.75:
		toleration.Value = one(rng, taintValues...)
	case kind < 0.90:
		toleration.Operator = one(rng, v1.TolerationOpLt, v1.TolerationOpGt)
		toleration.Value = one(rng, "0", "5", "6", "-3", "-10", "007", "9223372036854775806", "9223372036854775807", "9223372036854775808", "+4", "x", "")
	case kind < 0.95:
		toleration.Key = ""
		toleration.Operator = v1.TolerationOpExists
	default:
		toleration.Key = one(rng, "", toleration.Key)
		toleration.Operator = one(rng, v1.TolerationOpEqual, v1.TolerationOpExists, "", "In", "equal", "exists")
		toleration.Value = one(rng, taintValues...)
		toleration.Effect = one(rng, toleration.Effect, "noSchedule")
	}
	if toleration.Effect == v1.TaintEffectNoExecute && chance(rng, 0.5) {
		seconds := one(rng, int64(-5), 0, 1, 30, 300, 3600, 2147483648)
		toleration.TolerationSeconds = &seconds
	}
	return toleration
}

// randomTolerations aims about half of its tolerations at given taints, so
// that workloads which tolerate a node come up often.
func randomTolerations(rng *rand.Rand, max int, aims []v1.Taint) []v1.Toleration {
	var tolerations []v1.Toleration
	for range rng.IntN(max + 1) {
		toleration := randomToleration(rng)
		if len(aims) > 0 && chance(rng, 0.5) {
			aim := one(rng, aims...)
			toleration.Key = aim.Key
			if chance(rng, 0.8) && toleration.TolerationSeconds == nil {
				toleration.Effect = aim.Effect
			}
			if toleration.Operator == "" || toleration.Operator == v1.TolerationOpEqual {
				toleration.Value = aim.Value
			}
		}
		tolerations = append(tolerations, toleration)
		if chance(rng, 0.04) {
			tolerations = append(tolerations, toleration)
		}
	}
	return tolerations
}

// randomSelector draws a nodeSelector.
func randomSelector(rng *rand.Rand) map[string]string {
	selector := map[string]string{}
	for _, key := range some(rng, 2, labelKeys...) {
		selector[key] = one(rng, labelValues[key]...)
	}
	if chance(rng, 0.04) {
		selector[v1.LabelHostname] = fmt.Sprintf("node-%d", rng.IntN(nodeCount))
	}
	if len(selector) == 0 {
		return nil
	}
	return selector
}

func randomExpression(rng *rand.Rand) v1.NodeSelectorRequirement {
	key := one(rng, labelKeys...)
	if chance(rng, 0.05) {
		key = "example.com/absent"
	}
	known := append([]string{"other"}, labelValues[key]...)
	requirement := v1.NodeSelectorRequirement{Key: key}
	switch kind := rng.Float64(); {
	case kind < 0.25:
		requirement.Operator = v1.NodeSelectorOpIn
		requirement.Values = append(some(rng, 2, known...), one(rng, known...))
	case kind < 0.45:
		requirement.Operator = v1.NodeSelectorOpNotIn
		requirement.Values = append(some(rng, 2, known...), one(rng, known...))
	case kind < 0.57:
		requirement.Operator = v1.NodeSelectorOpExists
	case kind < 0.69:
		requirement.Operator = v1.NodeSelectorOpDoesNotExist
	case kind < 0.93:
		requirement.Key = one(rng, "example.com/generation", "example.com/slots", key)
		requirement.Operator = one(rng, v1.NodeSelectorOpGt, v1.NodeSelectorOpLt)
		requirement.Values = []string{one(rng, "0", "1", "2", "9", "12", "-5", "007", "+3", "9223372036854775806", "9223372036854775808", "x", "1.5")}
	default:
		// What validation refuses; the placement code still has an answer.
		requirement.Operator = one(rng, v1.NodeSelectorOpIn, v1.NodeSelectorOpNotIn, v1.NodeSelectorOpExists, v1.NodeSelectorOpDoesNotExist, v1.NodeSelectorOpGt, v1.NodeSelectorOpLt, "Equals", "")
		requirement.Values = one(rng, nil, []string{}, []string{"bad value!"}, []string{"1", "2"}, []string{"linux"}, []string{""})
		requirement.Key = one(rng, requirement.Key, "", "bad key!", "a/b/c")
	}
	return requirement
}

func randomField(rng *rand.Rand) v1.NodeSelectorRequirement {
	requirement := v1.NodeSelectorRequirement{
		Key:      metav1.ObjectNameField,
		Operator: one(rng, v1.NodeSelectorOpIn, v1.NodeSelectorOpIn, v1.NodeSelectorOpNotIn),
		Values:   []string{fmt.Sprintf("node-%d", rng.IntN(nodeCount))},
	}
	if chance(rng, 0.12) {
		requirement.Key = one(rng, metav1.ObjectNameField, "metadata.namespace", "spec.unschedulable", "")
		requirement.Operator = one(rng, v1.NodeSelectorOpIn, v1.NodeSelectorOpNotIn, v1.NodeSelectorOpExists, v1.NodeSelectorOpGt)
		requirement.Values = one(rng, requirement.Values, nil, []string{"node-1", "node-2"}, []string{""})
	}
	return requirement
}

func randomTerm(rng *rand.Rand) v1.NodeSelectorTerm {
	term := v1.NodeSelectorTerm{}
	for range rng.IntN(3) {
		term.MatchExpressions = append(term.MatchExpressions, randomExpression(rng))
	}
	if chance(rng, 0.15) {
		term.MatchFields = append(term.MatchFields, randomField(rng))
		if chance(rng, 0.15) {
			term.MatchFields = append(term.MatchFields, randomField(rng))
		}
	}
	return term
}

// randomAffinity draws affinity with required terms, at times with preferred
// ones (which never decide) and at times without any.
func randomAffinity(rng *rand.Rand) *v1.Affinity {
	if chance(rng, 0.05) {
		return one(rng, &v1.Affinity{}, &v1.Affinity{NodeAffinity: &v1.NodeAffinity{}})
	}
	required := &v1.NodeSelector{NodeSelectorTerms: []v1.NodeSelectorTerm{}}
	terms := 1 + rng.IntN(3)
	if chance(rng, 0.04) {
		terms = 0
	}
	for range terms {
		required.NodeSelectorTerms = append(required.NodeSelectorTerms, randomTerm(rng))
	}
	affinity := &v1.Affinity{NodeAffinity: &v1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: required}}
	if chance(rng, 0.1) {
		affinity.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution = []v1.PreferredSchedulingTerm{{Weight: 1, Preference: randomTerm(rng)}}
	}
	return affinity
}
