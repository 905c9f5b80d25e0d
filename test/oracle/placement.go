package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	apps "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	corev1 "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/daemon"
	"k8s.io/kubernetes/pkg/controller/daemon/util"
	"k8s.io/kubernetes/pkg/features"
)

const (
	nodeCount     = 240
	workloadCount = 1300
	// How many nodes of each pair of verdicts are kept for a workload: all
	// nodes are asked, but thousands of equal answers prove nothing more.
	nodesPerVerdict = 9
)

// placements is a pool of nodes, a pool of pod specs, and what upstream says
// of pairs of them.
type placements struct {
	Nodes     []placementNode `json:"nodes"`
	Workloads []v1PodSpec     `json:"workloads"`
	Rows      []placementRow  `json:"rows"`
}

type placementNode struct {
	Name          string            `json:"name"`
	Labels        map[string]string `json:"labels"`
	Taints        []v1.Taint        `json:"taints,omitempty"`
	Unschedulable bool              `json:"unschedulable,omitempty"`
}

// v1PodSpec is the part of a pod spec that placement reads.
type v1PodSpec struct {
	NodeName     string            `json:"nodeName,omitempty"`
	NodeSelector map[string]string `json:"nodeSelector,omitempty"`
	Affinity     *v1.Affinity      `json:"affinity,omitempty"`
	Tolerations  []v1.Toleration   `json:"tolerations,omitempty"`
	HostNetwork  bool              `json:"hostNetwork,omitempty"`
}

func (s v1PodSpec) podSpec() v1.PodSpec {
	return v1.PodSpec{NodeName: s.NodeName, NodeSelector: s.NodeSelector, Affinity: s.Affinity, Tolerations: append([]v1.Toleration(nil), s.Tolerations...), HostNetwork: s.HostNetwork}
}

// placementRow holds the answers for one workload. Nodes, DaemonSet,
// Other and the two lists run in parallel. A list entry is a bit set over the
// node's taints (bit i: taint i is hard and not tolerated).
type placementRow struct {
	Workload          int    `json:"workload"`
	ComparisonGate    bool   `json:"comparisonGate,omitempty"`
	Nodes             []int  `json:"nodes"`
	DaemonSet         string `json:"daemonSet"`
	DaemonUntolerated []int  `json:"daemonUntolerated"`
	Other             string `json:"other"`
	OtherUntolerated  []int  `json:"otherUntolerated"`
	CordonUntolerated []int  `json:"cordonUntolerated,omitempty"`
}

func generatePlacements(rng *rand.Rand) (any, error) {
	result := placements{}
	nodes := make([]*v1.Node, nodeCount)
	for i := range nodes {
		node := randomNode(rng, i)
		nodes[i] = node
		result.Nodes = append(result.Nodes, placementNode{Name: node.Name, Labels: node.Labels, Taints: node.Spec.Taints, Unschedulable: node.Spec.Unschedulable})
	}
	for range workloadCount {
		result.Workloads = append(result.Workloads, randomWorkload(rng, nodes))
	}
	pairs := 0
	for _, gate := range []bool{false, true} {
		if err := setComparisonGate(gate); err != nil {
			return nil, err
		}
		for index, workload := range result.Workloads {
			if gate && !comparesTolerations(workload.Tolerations) {
				continue
			}
			row := placeEverywhere(rng, index, workload, nodes, gate)
			pairs += len(row.Nodes)
			result.Rows = append(result.Rows, row)
		}
	}
	if err := setComparisonGate(false); err != nil {
		return nil, err
	}
	fmt.Printf("  %d placements of %d workloads on %d nodes\n", pairs, workloadCount, nodeCount)
	if pairs < 20000 {
		return nil, fmt.Errorf("only %d placements", pairs)
	}
	return result, nil
}

func setComparisonGate(on bool) error {
	return utilfeature.DefaultMutableFeatureGate.SetFromMap(map[string]bool{string(features.TaintTolerationComparisonOperators): on})
}

func comparesTolerations(tolerations []v1.Toleration) bool {
	for _, toleration := range tolerations {
		if toleration.Operator == v1.TolerationOpLt || toleration.Operator == v1.TolerationOpGt {
			return true
		}
	}
	return false
}

func randomWorkload(rng *rand.Rand, nodes []*v1.Node) v1PodSpec {
	aim := one(rng, nodes...)
	workload := v1PodSpec{Tolerations: randomTolerations(rng, 5, aim.Spec.Taints), HostNetwork: chance(rng, 0.3)}
	if chance(rng, 0.4) {
		workload.NodeSelector = randomSelector(rng)
	}
	if chance(rng, 0.55) {
		workload.Affinity = randomAffinity(rng)
	}
	if chance(rng, 0.05) {
		workload.NodeName = one(rng, aim.Name, "node-0", "elsewhere")
	}
	return workload
}

// placeEverywhere asks about every node and keeps a spread of the answers.
func placeEverywhere(rng *rand.Rand, index int, workload v1PodSpec, nodes []*v1.Node, gate bool) placementRow {
	row := placementRow{Workload: index, ComparisonGate: gate}
	kept := map[string]int{}
	var daemonVerdicts, otherVerdicts []byte
	for _, i := range rng.Perm(len(nodes)) {
		node := nodes[i]
		daemonVerdict, daemonUntolerated := daemonSetVerdict(workload, node, gate)
		otherVerdict, otherUntolerated, cordon := otherWorkloadVerdict(workload, node, gate)
		pair := string([]byte{daemonVerdict, otherVerdict})
		if kept[pair] >= nodesPerVerdict {
			continue
		}
		kept[pair]++
		if cordon {
			row.CordonUntolerated = append(row.CordonUntolerated, len(row.Nodes))
		}
		row.Nodes = append(row.Nodes, i)
		daemonVerdicts = append(daemonVerdicts, daemonVerdict)
		otherVerdicts = append(otherVerdicts, otherVerdict)
		row.DaemonUntolerated = append(row.DaemonUntolerated, daemonUntolerated)
		row.OtherUntolerated = append(row.OtherUntolerated, otherUntolerated)
	}
	row.DaemonSet, row.Other = string(daemonVerdicts), string(otherVerdicts)
	return row
}

// daemonSetVerdict is r(un), k(eep), e(vict) or a(ffinity). Upstream answers
// "affinity" and "evict" with the same pair of booleans, so what tells them
// apart is upstream's own affinity and nodeName check.
func daemonSetVerdict(workload v1PodSpec, node *v1.Node, gate bool) (byte, int) {
	spec := workload.podSpec()
	set := &apps.DaemonSet{Spec: apps.DaemonSetSpec{Template: v1.PodTemplateSpec{Spec: spec}}}
	run, keep := daemon.NodeShouldRunDaemonPod(klog.Background(), node, set)
	implied := workload.podSpec()
	util.AddOrUpdateDaemonPodTolerations(&implied)
	untolerated := untoleratedTaints(implied.Tolerations, node.Spec.Taints, gate, hardEffect)
	switch {
	case run:
		return 'r', untolerated
	case keep:
		return 'k', untolerated
	case admitted(workload, node):
		return 'e', untolerated
	default:
		return 'a', untolerated
	}
}

// otherWorkloadVerdict is a(ffinity), t(aint) or f(its), with the untolerated
// hard taints and whether the node is cordoned and the pod does not tolerate
// that. A pod with nodeName meets no scheduler, so that only NoExecute counts.
func otherWorkloadVerdict(workload v1PodSpec, node *v1.Node, gate bool) (byte, int, bool) {
	counts := hardEffect
	cordoned := node.Spec.Unschedulable && !corev1.TolerationsTolerateTaint(klog.Background(), workload.Tolerations, &cordonTaint, gate)
	if workload.NodeName != "" {
		counts = func(taint *v1.Taint) bool { return taint.Effect == v1.TaintEffectNoExecute }
		cordoned = false
	}
	untolerated := untoleratedTaints(workload.Tolerations, node.Spec.Taints, gate, counts)
	switch {
	case !admitted(workload, node):
		return 'a', untolerated, cordoned
	case untolerated != 0 || cordoned:
		return 't', untolerated, cordoned
	default:
		return 'f', untolerated, cordoned
	}
}

func hardEffect(taint *v1.Taint) bool {
	return taint.Effect == v1.TaintEffectNoSchedule || taint.Effect == v1.TaintEffectNoExecute
}

// admitted is nodeName, nodeSelector and required node affinity together.
func admitted(workload v1PodSpec, node *v1.Node) bool {
	if workload.NodeName != "" && workload.NodeName != node.Name {
		return false
	}
	// Upstream ignores the parse error in both places that decide.
	match, _ := nodeaffinity.GetRequiredNodeAffinity(&v1.Pod{Spec: workload.podSpec()}).Match(node)
	return match
}

// untoleratedTaints is a bit set over taints: those that count and that
// upstream, asked about each alone, finds untolerated.
func untoleratedTaints(tolerations []v1.Toleration, taints []v1.Taint, gate bool, counts func(*v1.Taint) bool) int {
	set := 0
	for i := range taints {
		if _, untolerated := corev1.FindMatchingUntoleratedTaint(klog.FromContext(context.Background()), taints[i:i+1], tolerations, counts, gate); untolerated {
			set |= 1 << i
		}
	}
	return set
}
