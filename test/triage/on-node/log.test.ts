// Lines of a node's journal: read, put in order, folded, masked.
import { describe, expect, it } from "vitest";
import { foldLog } from "../../../server/src/triage/on-node/fold-log.ts";
import { readLogLines } from "../../../server/src/triage/on-node/log-line.ts";
import { logUnits } from "../../../server/src/triage/on-node/log-units.ts";
import { maskSecrets } from "../../../server/src/triage/on-node/mask-secrets.ts";

const NOW = Date.parse("2026-04-14T10:00:59Z");
const read = (...lines: readonly string[]) => readLogLines(lines, NOW);
const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString());

describe("a line", () => {
  it("of klog loses its head and its pairs become a sentence", () => {
    const line =
      'Apr 14 09:59:58.123456 n1 kubelet[812]: E0414 09:59:58.123400     812 kubelet.go:2451] "Skipping pod synchronization" err="PLEG is not \\"healthy\\"" pod="a/b"';
    expect(read(line)).toEqual([
      {
        at: Date.parse("2026-04-14T09:59:58.123Z"),
        error: true,
        message: 'Skipping pod synchronization: PLEG is not "healthy" pod="a/b"',
      },
    ]);
  });
  it("of containerd keeps message and error", () => {
    const line =
      'Apr 14 09:59:58.1 n1 containerd[7]: time="2026-04-14T09:59:58Z" level=error msg="StartContainer for \\"ab\\" failed" error="no space left on device"';
    expect(read(line)).toMatchObject([
      { error: true, message: 'StartContainer for "ab" failed: no space left on device' },
    ]);
  });
  it("of a kubelet that logs JSON", () => {
    const line = `Apr 14 09:59:58 n1 kubelet[1]: {"ts":1,"caller":"x.go:1","msg":"Failed","err":"boom"}`;
    expect(read(line)).toMatchObject([{ error: true, message: "Failed: boom" }]);
  });
  it("without a time that is understood is a message all the same", () => {
    expect(read("4/14/2026 9:59:58 AM   0 Error  disk is full")).toEqual([
      { at: null, error: false, message: "4/14/2026 9:59:58 AM   0 Error  disk is full" },
    ]);
  });
  it("that begins with a blank goes on the one before", () => {
    expect(read("Apr 14 09:59:58 n1 kubelet[1]: panic: boom", "           goroutine 1 [running]:")).toMatchObject([
      { message: "panic: boom goroutine 1 [running]:" },
    ]);
  });
});

describe("times", () => {
  it("are put in order, whatever order the node wrote them in", () => {
    const lines = read("Apr 14 10:00:02 n kubelet: b", "Apr 14 10:00:01 n kubelet: a");
    expect(lines.map(({ message }) => message)).toEqual(["a", "b"]);
  });
  it("of December are last year's in January", () => {
    const january = Date.parse("2027-01-01T00:10:00Z");
    const [line] = readLogLines(["Dec 31 23:59:59 n kubelet: x"], january);
    expect(iso(line?.at ?? null)).toBe("2026-12-31T23:59:59.000Z");
  });
  it("of a clock that is a little ahead stay this year's", () => {
    const [line] = read("Apr 14 10:05:00 n kubelet: x");
    expect(iso(line?.at ?? null)).toBe("2026-04-14T10:05:00.000Z");
  });
});

describe("folding", () => {
  const pleg = (minute: number, seconds: number) =>
    `Apr 14 09:${minute}:00 n kubelet[812]: E0414 09:${minute}:00.000001     812 kubelet.go:1] "Skipping pod synchronization" err="PLEG is not healthy: pleg was last seen active ${seconds}s ago"`;
  it("counts messages that differ only in numbers and names, with the first and the last time", () => {
    const [group] = foldLog(read(pleg(40, 181), pleg(41, 241), pleg(42, 301))).groups;
    expect(group).toMatchObject({ count: 3, more: 0 });
    expect(iso(group?.first ?? null)).toBe("2026-04-14T09:40:00.000Z");
    expect(iso(group?.last ?? null)).toBe("2026-04-14T09:42:00.000Z");
    expect(group?.messages.map(({ count, text }) => `${count} ${text}`)).toEqual([
      '3 "Skipping pod synchronization: PLEG is not healthy: pleg was last seen active 301s ago"',
    ]);
  });
  it("tells errors of no known kind, the most frequent first, and leaves out lines that are none", () => {
    const error = (text: string) => `Apr 14 09:40:00 n kubelet[1]: E0414 09:40:00.000001       1 x.go:1] "${text}"`;
    const folded = foldLog(
      read(error("odd"), error("strange 1"), error("strange 2"), "Apr 14 09:40:00 n kubelet[1]: all is well"),
    );
    expect(folded.groups).toEqual([]);
    expect(folded.others.map(({ count, text }) => `${count} ${text}`)).toEqual(['2 "strange 2"', '1 "odd"']);
  });
  it("stays short however many kinds of errors there are", () => {
    const words = "alpha beta gamma delta epsilon zeta eta theta".split(" ");
    const lines = words.map((word) => `E0414 09:40:00.000001       1 x.go:1] "${word}"`);
    const folded = foldLog(read(...lines));
    expect(folded.others).toHaveLength(5);
    expect(folded.moreOthers).toBe(3);
  });
  it("shows no credential", () => {
    const line =
      'E0414 09:40:00.000001       1 x.go:1] "Failed to pull image" err="401 from https://user:hunter22@registry.example.com with Authorization: Bearer abcdefghijklmnop"';
    const [message] = foldLog(read(line)).groups[0]?.messages ?? [];
    expect(message?.text).toBe(
      '"Failed to pull image: 401 from https://***@registry.example.com with Authorization: Bearer ***"',
    );
  });
});

describe("masking", () => {
  it.each([
    ["token eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln is bad", "token *** is bad"],
    ['password="hunter22" for x', 'password="***" for x'],
    ["--registry-token=abcd1234", "--registry-token=***"],
    ['{"client_secret": "abcd1234"}', '{"client_secret": "***"}'],
    ["https://x.example.com/b?sv=1&sig=a%2Fb%3D&x=1", "https://x.example.com/b?sv=***&sig=***&x=1"],
    ["join with abcdef.0123456789abcdef", "join with ***"],
    ["key AKIAABCDEFGHIJKLMNOP refused", "key *** refused"],
    ["Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic ***"],
  ])("%s", (text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
  });
  it.each([
    'secret "default/registry" not found',
    "image registry.example.com/x@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "MountVolume.SetUp failed for volume kube-api-access-abcde",
    "basic authentication is required",
    'container "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef" not found',
    "/var/lib/kubelet/pods/00000000-0000-0000-0000-000000000000/volumes/kubernetes.io~csi/pvc-1/mount",
  ])("leaves alone: %s", (text) => {
    expect(maskSecrets(text)).toBe(text);
  });
});

describe("the units of a node's logs", () => {
  const info = (kubeletVersion: string, containerRuntimeVersion: string) =>
    logUnits({
      kubeletVersion,
      containerRuntimeVersion,
      kernelVersion: "",
      osImage: "",
      operatingSystem: "linux",
      architecture: "",
      bootID: "",
    });
  it.each([
    ["v1.37.2", "containerd://2.1.4", ["kubelet"], ["containerd"]],
    ["v1.37.2", "cri-o://1.37.0", ["kubelet"], ["crio"]],
    ["v1.37.2", "docker://28.1.1", ["kubelet"], ["docker", "cri-docker"]],
    ["v1.37.2+k3s1", "containerd://2.1.4-k3s1", ["k3s", "k3s-agent"], null],
    ["v1.37.2+rke2r1", "containerd://2.1.4-k3s1", ["rke2-server", "rke2-agent"], null],
    ["v1.37.2", "", ["kubelet"], null],
    ["v1.37.2", "odd://1", ["kubelet"], null],
  ])("%s on %s", (version, runtime, kubelet, expected) => {
    const units = info(version, runtime);
    expect([units.kubelet, units.runtime]).toEqual([kubelet, expected]);
    expect(units.elsewhere === "").toBe(expected !== null);
  });
  it("of a node that says nothing of itself", () => {
    expect(logUnits(null).elsewhere).toBe("The node does not say which container runtime it has.");
  });
});
