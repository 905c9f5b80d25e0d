package main

import (
	_ "k8s.io/component-helpers/resource"
	_ "k8s.io/component-helpers/scheduling/corev1"
	_ "k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	_ "k8s.io/kubernetes/pkg/apis/core/v1"
	_ "k8s.io/kubernetes/pkg/apis/core/v1/helper"
	_ "k8s.io/kubernetes/pkg/apis/core/validation"
	_ "k8s.io/kubernetes/pkg/controller/daemon"
	_ "k8s.io/kubernetes/pkg/controller/daemon/util"
	_ "k8s.io/kubernetes/pkg/controller/tainteviction"
	_ "k8s.io/kubernetes/pkg/scheduler/framework"
	_ "k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources"
	_ "sigs.k8s.io/yaml"
)

func main() {}
