// Stand-ins for kubelets: leases, heartbeats, pods that become Running.
module taintwise/test/cluster/kwok

go 1.26.0

tool sigs.k8s.io/kwok/cmd/kwok

require sigs.k8s.io/kwok v0.8.0
