// `extended-resource-invalid`: devices cannot be overcommitted or cut.
import { describe, expect, it } from "vitest";
import { check, fixed, fixesAt, workload } from "../support/annotated.ts";

const resources = (text: string): string =>
  workload("Deployment", `containers:\n- name: c\n  image: i\n  resources:\n    ${text}`);

describe("extended-resource-invalid", () => {
  it("speaks of each rule of the server, for init containers too", () => {
    check(
      workload(
        "Deployment",
        `
        initContainers:
        - name: a
          resources:
            requests: {rdma/hca: 1, cpu: 1, hugepages-2Mi: 2Mi}
            #                    ^ error extended-resource-invalid: rdma/hca is requested without a limit
        containers:
        - name: b
          image: i
          resources:
            requests: {nvidia.com/gpu: 1}
            #                          ^ error extended-resource-invalid: nvidia.com/gpu: the request of 1 must equal the limit of 2
            limits: {nvidia.com/gpu: 2, amd.com/gpu: 500m}
            #                                        ^^^^ error extended-resource-invalid: amd.com/gpu is counted in whole units: 500m
        - name: c
          image: i
          resources: {limits: {nvidia.com/gpu: "1", cpu: 500m, sgx.intel.com/epc: 512Ki}}
        - name: d
          image: i
          resources: {limits: {nvidia.com/gpu: 1}, requests: {nvidia.com/gpu: "1"}}
        `,
      ),
    );
  });

  it("sets the missing limit", () => {
    expect(fixed(resources("requests: {rdma/hca: 1}"), "extended-resource-invalid", "Set the limit to 1 as well")).toBe(
      resources("requests: {rdma/hca: 1}\n    limits:\n      rdma/hca: 1"),
    );
    expect(
      fixed(
        resources('limits: {cpu: 1}\n    requests: {rdma/hca: "2"}'),
        "extended-resource-invalid",
        "Set the limit to 2 as well",
      ),
    ).toBe(resources('limits: {cpu: 1, rdma/hca: "2"}\n    requests: {rdma/hca: "2"}'));
  });

  it("makes the two equal, either way", () => {
    const before = resources("requests: {rdma/hca: 1}\n    limits: {rdma/hca: 2}");
    expect(fixed(before, "extended-resource-invalid", "Set both to the limit of 2")).toBe(
      resources("requests: {rdma/hca: 2}\n    limits: {rdma/hca: 2}"),
    );
    expect(fixed(before, "extended-resource-invalid", "Set both to the request of 1")).toBe(
      resources("requests: {rdma/hca: 1}\n    limits: {rdma/hca: 1}"),
    );
  });

  it("leaves a fraction to people", () => {
    expect(fixesAt(resources("limits: {rdma/hca: 1500m}"), "extended-resource-invalid").fixes).toEqual([]);
  });
});
