// The store of the cluster tests' control plane.
module taintwise/test/cluster/etcd

go 1.26.0

tool go.etcd.io/etcd/server/v3

require go.etcd.io/etcd/server/v3 v3.7.3
