// The checklist for the shell of a node: the programs that it really has, and the way in that it really lets in.
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { checksFor } from "../../server/src/explorer/reports/kubectl.ts";
import { onNodeChecklist } from "../../server/src/explorer/reports/on-node-checklist.ts";
import type { NodeInfo } from "../../server/src/kube/node.ts";
import { access, NO_INFO, node, now, sick } from "./example.ts";
import { judged } from "./tree.ts";

describe("on the node", () => {
  const home = now.nodes.get(sick);
  if (home === undefined) throw new Error("it is gone");
  const checklist = (info: Partial<NodeInfo>) =>
    onNodeChecklist(
      judged(
        { ...now, nodes: new Map([...now.nodes, [sick, { ...home, info: { ...NO_INFO, ...info } }]]) },
        { access },
      ),
      sick,
    );
  it("asks the runtime that the node has", () => {
    const crio = checklist({ containerRuntimeVersion: "cri-o://1.36.0" });
    expect(crio).toContain("journalctl -u crio ");
    expect(crio).not.toContain("containerd");
    expect(checklist({ kubeletVersion: "v1.36.1+k3s1" })).toContain("k3s crictl pods --state NotReady");
    expect(checklist({ osImage: "Talos (v1.12.0)" })).toContain("talosctl");
  });
  it("of a Windows node holds no Linux command and no way in that Windows refuses", async () => {
    const text = checklist({ operatingSystem: "windows" });
    expect(text).not.toMatch(/systemctl|df -h|profile=sysadmin/);
    await expect(text).toMatchFileSnapshot("./golden/on-windows-node.txt");
    const windows = judged({
      ...now,
      nodes: new Map([[sick, { ...home, info: { ...NO_INFO, operatingSystem: "windows" } }]]),
    });
    expect(checksFor(windows, node).map(({ title }) => title)).not.toContain("A shell on the node");
  });
  it("says of a silent node that its way in does not open", () => {
    const silent = {
      ...home,
      conditions: home.conditions.map((one) => (one.type === "Ready" ? { ...one, status: "Unknown" } : one)),
    };
    expect(onNodeChecklist(judged({ ...now, nodes: new Map([[sick, silent]]) }), sick)).toContain(
      "Its kubelet is silent",
    );
  });
  it("prints kernel settings beside what is expected", () => {
    const [, script = ""] = /### kernel settings[\s\S]*?```sh\n([\s\S]*?)```/.exec(checklist({})) ?? [];
    const printed = execFileSync("sh", ["-c", script.replaceAll("sysctl", "no-such-program")], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    expect(printed.split("\n")[0]).toMatch(/^net\.ipv4\.ip_forward +is absent +expected 1$/);
  });
});
