import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodePodSpec } from "../../server/src/kube/decode/pod-spec.ts";
import { toPlain } from "../../server/src/yaml/locate.ts";
import { parseText } from "../../server/src/yaml/parse.ts";

const spec = (yaml: string) => decodePodSpec(toPlain(parseText(yaml).root));

describe("what a pod asks of a node", () => {
  it("is the sum of its containers, cpu in millicores", () => {
    const { requests } = spec(`
containers:
- {name: a, resources: {requests: {cpu: 250m, memory: 1Gi}}}
- {name: b, resources: {requests: {cpu: "1", rdma/hca: 1}}}
`);
    expect(requests).toEqual({ cpu: 1250, memory: 2 ** 30, "rdma/hca": 1 });
  });

  it("takes a limit as the request where no request stands", () => {
    const { requests, containers } = spec(`
containers: [{name: a, resources: {limits: {nvidia.com/gpu: "2", cpu: "1"}, requests: {cpu: 100m}}}]
`);
    expect(requests).toEqual({ "nvidia.com/gpu": 2, cpu: 100 });
    expect(containers[0]?.limits).toEqual({ "nvidia.com/gpu": 2, cpu: 1000 });
  });

  it("is the largest init container where that is more, with the sidecars started before it", () => {
    const { requests } = spec(`
initContainers:
- {name: early, resources: {requests: {cpu: "3"}}}
- {name: sidecar, restartPolicy: Always, resources: {requests: {cpu: "1", memory: 1Ki}}}
- {name: late, resources: {requests: {cpu: 2500m}}}
containers:
- {name: a, resources: {requests: {cpu: "2"}}}
`);
    // early alone 3, late with the sidecar 3.5, running 2 + 1.
    expect(requests).toEqual({ cpu: 3500, memory: 1024 });
  });

  it("follows pod-level requests for cpu and memory, and adds the overhead", () => {
    const { requests } = spec(`
resources: {requests: {cpu: "4", example.com/ignored: "9"}, limits: {memory: 2Gi}}
overhead: {cpu: 100m}
containers:
- {name: a, resources: {requests: {cpu: "1", example.com/fpga: "1"}}}
`);
    expect(requests).toEqual({ cpu: 4100, memory: 2 ** 31, "example.com/fpga": 1 });
  });
});

describe("lenient reading", () => {
  it("takes a scalar of the wrong type as its text and drops everything else", () => {
    const decoded = spec(`
nodeSelector: {gpu: true, count: 8, bad: [1]}
tolerations:
- {key: dedicated, operator: Equal, value: true, effect: NoSchedule}
- {key: a, operator: Exists, tolerationSeconds: "60"}
- just text
hostNetwork: "true"
volumes: {not: a list}
containers: [null, 3, {name: a, image: 5}]
affinity: nothing
`);
    expect(decoded.nodeSelector).toEqual({ gpu: "true", count: "8" });
    expect(decoded.tolerations.map(({ key, value, tolerationSeconds }) => [key, value, tolerationSeconds])).toEqual([
      ["dedicated", "true", null],
      ["a", "", 60],
      ["", "", null],
    ]);
    // A toleration that is no mapping must not match as an empty one would.
    expect(decoded.tolerations[2]?.operator).toBe("invalid");
    expect(decoded.hostNetwork).toBe(true);
    expect(decoded.volumes).toEqual([]);
    expect(decoded.containers.map(({ name, image }) => [name, image])).toEqual([["a", "5"]]);
    expect(decoded.requiredAffinity).toBeNull();
  });

  it("never throws, whatever it is given", () => {
    fc.assert(
      fc.property(
        fc.anything(),
        fc.object({ key: fc.constantFrom("containers", "tolerations", "affinity", "volumes", "resources") }),
        (any, object) => {
          decodePodSpec(any);
          decodePodSpec(object);
        },
      ),
    );
  });
});

describe("words of the command", () => {
  it("keeps what tells a role and nothing that could be a secret", () => {
    const [container] = spec(`
containers:
- name: a
  command: [/csi-driver, --endpoint=unix:///csi/csi.sock, --token=abc123, --path.rootfs=/host]
  args: [--password, hunter2, --nodeid, n1, "sh -c 'export KEY=topsecret'", "DB=postgres://u:p@h"]
  env: [{name: SECRET, value: hunter3}]
`).containers;
    expect(container?.command).toEqual([
      "/csi-driver",
      "--endpoint=unix:///csi/csi.sock",
      "--token",
      "--path.rootfs=/host",
      "--password",
      "--nodeid",
      "n1",
      "sh",
      "DB",
    ]);
    expect(JSON.stringify(container)).not.toMatch(/hunter|abc123|topsecret|postgres/);
  });
});

it("says which hard constraints are not modelled", () => {
  const { notModelled } = spec(`
affinity:
  podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname}]}
topologySpreadConstraints: [{whenUnsatisfiable: ScheduleAnyway}]
resourceClaims: [{name: gpu}]
volumes: [{name: data, ephemeral: {}}]
containers: []
`);
  expect(notModelled).toEqual(["podAffinity", "volumes", "resourceClaims"]);
});
