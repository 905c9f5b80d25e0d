package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sort"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	helpers "k8s.io/component-helpers/resource"
	podutil "k8s.io/kubernetes/pkg/api/pod"
	"k8s.io/kubernetes/pkg/apis/core"
	corev1 "k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/pkg/apis/core/validation"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources"
)

const fitCount = 800

type fits struct {
	Cases []fitCase `json:"cases"`
}

type fitCase struct {
	Spec         json.RawMessage   `json:"spec"`
	Requests     map[string]string `json:"requests"`
	Allocatable  map[string]string `json:"allocatable"`
	Insufficient []string          `json:"insufficient"`
}

// The scheduler's options for v1.37 as its feature gates default.
var fitOptions = noderesources.ResourceRequestsOptions{EnablePodLevelResources: true}

var (
	cpuTexts       = []string{"0", "1", "2", "100m", "250m", "0.5", "1.5", "1500m", "1m", "0.0001", "16", "1e1", "2k", "500000u", "1n"}
	memoryTexts    = []string{"0", "128Mi", "1Gi", "1G", "1.5Gi", "512M", "1024", "1e9", "4Gi", "0.5Gi", "100k", "64Ki", "1Ti", "2147483648", "1E3", "128974848000m"}
	deviceTexts    = []string{"0", "1", "2", "4", "8", "1k", "1e1"}
	hugePageTexts  = []string{"0", "2Mi", "64Mi", "1Gi"}
	deviceNames    = []v1.ResourceName{"rdma/hca", "nvidia.com/gpu", "example.com/fpga", "sgx.intel.com/epc"}
	hugePageName   = v1.ResourceName("hugepages-2Mi")
	allocatableCPU = []string{"0", "1", "2", "1900m", "3920m", "4", "8", "16", "500m", "1e1"}
	allocatableMem = []string{"0", "1Gi", "2Gi", "3904Mi", "7.5Gi", "16Gi", "32G", "16777216Ki", "1Ti"}
)

func generateFits(rng *rand.Rand) (any, error) {
	result := fits{}
	enough := 0
	for len(result.Cases) < fitCount {
		spec := randomResourceSpec(rng)
		text, err := json.Marshal(spec)
		if err != nil {
			return nil, err
		}
		pod, err := createdPod(spec)
		if err != nil {
			return nil, err
		}
		if pod == nil {
			continue
		}
		question := fitCase{Spec: text, Requests: map[string]string{}, Allocatable: map[string]string{}, Insufficient: []string{}}
		requests := helpers.PodRequests(pod.DeepCopy(), helpers.PodResourcesOptions{})
		for name, quantity := range requests {
			question.Requests[string(name)] = quantity.String()
		}
		allocatable, err := randomAllocatable(rng, requests)
		if err != nil {
			return nil, err
		}
		for name, quantity := range allocatable {
			question.Allocatable[string(name)] = quantity.String()
		}
		info := framework.NewNodeInfo()
		info.SetNode(&v1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-0"}, Status: v1.NodeStatus{Allocatable: allocatable}})
		for _, short := range noderesources.Fits(pod, info, nil, fitOptions) {
			question.Insufficient = append(question.Insufficient, string(short.ResourceName))
		}
		sort.Strings(question.Insufficient)
		if len(question.Insufficient) == 0 {
			enough++
		}
		result.Cases = append(result.Cases, question)
	}
	fmt.Printf("  %d fits, %d of them enough\n", len(result.Cases), enough)
	return result, nil
}

// createdPod is the pod that the API server would store for a spec: defaulted
// on decoding and again before it is created. It is nil where validation
// refuses it, as then no scheduler ever sees it.
func createdPod(spec v1.PodSpec) (*v1.Pod, error) {
	pod := &v1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "pod", Namespace: "default"}, Spec: *spec.DeepCopy()}
	corev1.SetObjectDefaults_Pod(pod)
	internal := &core.Pod{}
	if err := corev1.Convert_v1_Pod_To_core_Pod(pod, internal, nil); err != nil {
		return nil, err
	}
	podutil.DefaultPodLevelResources(internal)
	options := podutil.GetValidationOptionsFromPodSpecAndMeta(&internal.Spec, nil, &internal.ObjectMeta, nil)
	options.ResourceIsPod = true
	// Overhead comes from a RuntimeClass by admission, before validation.
	if internal.Spec.Overhead != nil {
		name := "sandboxed"
		internal.Spec.RuntimeClassName = &name
	}
	if errs := validation.ValidatePodCreate(internal, options); len(errs) > 0 {
		return nil, nil
	}
	converted := &v1.Pod{}
	if err := corev1.Convert_core_Pod_To_v1_Pod(internal, converted, nil); err != nil {
		return nil, err
	}
	// The scheduler reads the pod from the API. Defaulting leaves amounts that
	// share memory, and adding to one would change the other.
	text, err := json.Marshal(converted)
	if err != nil {
		return nil, err
	}
	stored := &v1.Pod{}
	return stored, json.Unmarshal(text, stored)
}

func randomResourceSpec(rng *rand.Rand) v1.PodSpec {
	always := v1.ContainerRestartPolicyAlways
	spec := v1.PodSpec{}
	names := 0
	container := func() v1.Container {
		names++
		return v1.Container{Name: fmt.Sprintf("c%d", names), Image: "app:1", Resources: randomResources(rng)}
	}
	for range 1 + rng.IntN(3) {
		spec.Containers = append(spec.Containers, container())
	}
	if chance(rng, 0.5) {
		for range 1 + rng.IntN(3) {
			init := container()
			if chance(rng, 0.45) {
				init.RestartPolicy = &always
			}
			spec.InitContainers = append(spec.InitContainers, init)
		}
	}
	if chance(rng, 0.2) {
		spec.Overhead = v1.ResourceList{v1.ResourceCPU: resource.MustParse(one(rng, "250m", "1", "10m")), v1.ResourceMemory: resource.MustParse(one(rng, "120Mi", "1Gi"))}
	}
	if chance(rng, 0.25) {
		spec.Resources = &v1.ResourceRequirements{Requests: podLevelList(rng), Limits: podLevelList(rng)}
	}
	return spec
}

func podLevelList(rng *rand.Rand) v1.ResourceList {
	list := v1.ResourceList{}
	if chance(rng, 0.5) {
		list[v1.ResourceCPU] = resource.MustParse(one(rng, "2", "8", "500m", "32"))
	}
	if chance(rng, 0.5) {
		list[v1.ResourceMemory] = resource.MustParse(one(rng, "1Gi", "8Gi", "32Gi", "2Ti"))
	}
	if chance(rng, 0.1) {
		list[hugePageName] = resource.MustParse(one(rng, "64Mi", "1Gi", "2Gi"))
	}
	return list
}

// randomResources sets requests, limits or both, as manifests do.
func randomResources(rng *rand.Rand) v1.ResourceRequirements {
	resources := v1.ResourceRequirements{Requests: v1.ResourceList{}, Limits: v1.ResourceList{}}
	put := func(name v1.ResourceName, share float64, texts []string, equal bool) {
		if !chance(rng, share) {
			return
		}
		quantity := resource.MustParse(one(rng, texts...))
		limit := quantity
		if !equal && chance(rng, 0.5) {
			limit = resource.MustParse(one(rng, texts...))
		}
		switch kind := rng.Float64(); {
		case kind < 0.4 && !equal:
			resources.Requests[name] = quantity
		case kind < 0.7:
			resources.Limits[name] = limit
		default:
			resources.Requests[name] = quantity
			resources.Limits[name] = limit
		}
	}
	put(v1.ResourceCPU, 0.6, cpuTexts, false)
	put(v1.ResourceMemory, 0.6, memoryTexts, false)
	put(v1.ResourceEphemeralStorage, 0.15, memoryTexts, false)
	put(one(rng, deviceNames...), 0.3, deviceTexts, true)
	put(hugePageName, 0.12, hugePageTexts, true)
	return resources
}

// randomAllocatable is often near what is requested, on either side.
func randomAllocatable(rng *rand.Rand, requests v1.ResourceList) (v1.ResourceList, error) {
	allocatable := v1.ResourceList{v1.ResourcePods: resource.MustParse(one(rng, "110", "110", "110", "250", "0"))}
	texts := map[v1.ResourceName]string{v1.ResourceCPU: one(rng, allocatableCPU...), v1.ResourceMemory: one(rng, allocatableMem...), v1.ResourceEphemeralStorage: one(rng, "0", "50Gi", "2Ti", "47093746742")}
	for _, name := range deviceNames {
		if chance(rng, 0.5) {
			texts[name] = one(rng, "0", "1", "8", "16", "1k")
		}
	}
	if chance(rng, 0.5) {
		texts[hugePageName] = one(rng, "0", "512Mi", "2Gi")
	}
	names := make([]v1.ResourceName, 0, len(requests))
	for name := range requests {
		names = append(names, name)
	}
	// Maps have no order; drawing in theirs would make the file differ.
	sort.Slice(names, func(i, j int) bool { return names[i] < names[j] })
	for _, name := range names {
		quantity := requests[name].DeepCopy()
		switch kind := rng.Float64(); {
		case kind < 0.55:
			quantity.Add(quantity)
			texts[name] = quantity.String()
		case kind < 0.8:
			texts[name] = quantity.String()
		case kind < 0.9:
			quantity.Sub(resource.MustParse(one(rng, "1", "1m")))
			if quantity.Sign() > 0 {
				texts[name] = quantity.String()
			}
		case kind < 0.95:
			delete(texts, name)
		}
	}
	for name, text := range texts {
		quantity, err := resource.ParseQuantity(text)
		if err != nil {
			return nil, err
		}
		allocatable[name] = quantity
	}
	return allocatable, nil
}
