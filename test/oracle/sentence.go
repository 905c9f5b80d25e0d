package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/feature"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeaffinity"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodename"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeunschedulable"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/tainttoleration"
)

const sentenceCount = 600

type sentences struct {
	Nodes []sentenceNode `json:"nodes"`
	Cases []sentenceCase `json:"cases"`
}

type sentenceNode struct {
	placementNode
	Allocatable map[string]string `json:"allocatable"`
}

type sentenceCase struct {
	Spec     sentencePodSpec `json:"spec"`
	Nodes    []int           `json:"nodes"`
	Sentence string          `json:"sentence"`
}

type sentencePodSpec struct {
	v1PodSpec
	Containers []v1.Container `json:"containers"`
}

func generateSentences(rng *rand.Rand) (any, error) {
	filters, err := hardFilters()
	if err != nil {
		return nil, err
	}
	result := sentences{}
	var nodes []*v1.Node
	for i := range 60 {
		node := randomNode(rng, i)
		node.Status.Allocatable = v1.ResourceList{
			v1.ResourcePods:   resource.MustParse(one(rng, "110", "110", "0")),
			v1.ResourceCPU:    resource.MustParse(one(rng, "1", "4", "16")),
			v1.ResourceMemory: resource.MustParse(one(rng, "1Gi", "16Gi")),
		}
		if chance(rng, 0.5) {
			node.Status.Allocatable["rdma/hca"] = resource.MustParse(one(rng, "0", "1", "8"))
		}
		plain := sentenceNode{placementNode{Name: node.Name, Labels: node.Labels, Taints: node.Spec.Taints, Unschedulable: node.Spec.Unschedulable}, map[string]string{}}
		for name, quantity := range node.Status.Allocatable {
			plain.Allocatable[string(name)] = quantity.String()
		}
		nodes = append(nodes, node)
		result.Nodes = append(result.Nodes, plain)
	}
	for len(result.Cases) < sentenceCount {
		chosen := rng.Perm(len(nodes))[:1+rng.IntN(12)]
		spec := sentencePodSpec{v1PodSpec: randomWorkload(rng, nodes)}
		// The scheduler never sees a pod that has a node.
		spec.NodeName = ""
		if chance(rng, 0.3) {
			spec.Affinity = nil
			spec.NodeSelector = nil
		}
		spec.Containers = []v1.Container{{Name: "c1", Image: "app:1", Resources: v1.ResourceRequirements{Requests: v1.ResourceList{
			v1.ResourceCPU: resource.MustParse(one(rng, "100m", "2", "8", "64")), v1.ResourceMemory: resource.MustParse(one(rng, "64Mi", "8Gi")),
		}}}}
		if chance(rng, 0.4) {
			devices := v1.ResourceList{"rdma/hca": resource.MustParse(one(rng, "1", "4"))}
			spec.Containers[0].Resources.Limits = devices
			spec.Containers[0].Resources.Requests["rdma/hca"] = devices["rdma/hca"]
		}
		podSpec := spec.podSpec()
		podSpec.Containers = spec.Containers
		var pool []*v1.Node
		for _, i := range chosen {
			pool = append(pool, nodes[i])
		}
		if sentence := filters.sentence(&v1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "pod"}, Spec: podSpec}, pool); sentence != "" {
			result.Cases = append(result.Cases, sentenceCase{Spec: spec, Nodes: chosen, Sentence: sentence})
		}
	}
	fmt.Printf("  %d sentences\n", len(result.Cases))
	return result, nil
}

// filterSet is the part of the default profile that depends on nothing but
// the pod and the empty node, in the profile's order.
type filterSet struct {
	before   []fwk.FilterPlugin
	affinity *nodeaffinity.NodeAffinity
}

func hardFilters() (filterSet, error) {
	set := filterSet{}
	ctx := context.Background()
	for _, build := range []func() (fwk.Plugin, error){
		func() (fwk.Plugin, error) { return nodename.New(ctx, nil, nil, feature.Features{}) },
		func() (fwk.Plugin, error) { return nodeunschedulable.New(ctx, nil, nil, feature.Features{}) },
		func() (fwk.Plugin, error) { return tainttoleration.New(ctx, nil, nil, feature.Features{}) },
	} {
		plugin, err := build()
		if err != nil {
			return set, err
		}
		filter, ok := plugin.(fwk.FilterPlugin)
		if !ok {
			return set, fmt.Errorf("%s does not filter", plugin.Name())
		}
		set.before = append(set.before, filter)
	}
	plugin, err := nodeaffinity.New(ctx, &config.NodeAffinityArgs{}, nil, feature.Features{})
	if err != nil {
		return set, err
	}
	affinity, ok := plugin.(*nodeaffinity.NodeAffinity)
	if !ok {
		return set, fmt.Errorf("%s is a %T", plugin.Name(), plugin)
	}
	set.affinity = affinity
	return set, nil
}

// sentence says why no node is feasible, or nothing when one is. The
// diagnosis is put together as schedule_one.go's findNodesThatFitPod does.
func (s filterSet) sentence(pod *v1.Pod, nodes []*v1.Node) string {
	ctx := context.Background()
	state := framework.NewCycleState()
	failure := framework.FitError{Pod: pod, NumAllNodes: len(nodes), Diagnosis: framework.Diagnosis{NodeToStatus: framework.NewDefaultNodeToStatus()}}
	preFilter, status := s.affinity.PreFilter(ctx, state, pod, nil)
	if status.IsRejected() {
		failure.Diagnosis.PreFilterMsg = status.Message()
		return failure.Error()
	}
	if preFilter != nil && !preFilter.AllNodes() {
		failure.Diagnosis.NodeToStatus.SetAbsentNodesStatus(fwk.NewStatus(fwk.UnschedulableAndUnresolvable, fmt.Sprintf("node(s) didn't satisfy plugin(s) %v", []string{s.affinity.Name()})))
	}
	for _, node := range nodes {
		if preFilter != nil && !preFilter.AllNodes() && !preFilter.NodeNames.Has(node.Name) {
			continue
		}
		status := s.filter(ctx, state, pod, node)
		if status.IsSuccess() {
			return ""
		}
		failure.Diagnosis.NodeToStatus.Set(node.Name, status)
	}
	return failure.Error()
}

func (s filterSet) filter(ctx context.Context, state fwk.CycleState, pod *v1.Pod, node *v1.Node) *fwk.Status {
	info := framework.NewNodeInfo()
	info.SetNode(node)
	for _, plugin := range append(append([]fwk.FilterPlugin(nil), s.before...), s.affinity) {
		if status := plugin.Filter(ctx, state, pod, info); !status.IsSuccess() {
			return status
		}
	}
	var reasons []string
	for _, short := range noderesources.Fits(pod, info, nil, fitOptions) {
		reasons = append(reasons, short.Reason)
	}
	if len(reasons) > 0 {
		return fwk.NewStatus(fwk.Unschedulable, reasons...)
	}
	return nil
}
