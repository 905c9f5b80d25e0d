// Explorer layer, node rows: the section "CSI drivers": what is registered with the kubelet, and what is missing.
import { type Element, element, stateOf } from "../element.ts";
import { type OpenedNode, type Section, unknownRow, whyUnknown } from "./section.ts";

/** Missing drivers first. A registration proves nothing of the driver's pod: the kubelet keeps it when the pod is gone. */
export function csiSection(opened: OpenedNode): Section {
  const { cluster, facts } = opened;
  const registered = facts.csi?.drivers ?? [];
  const missing = opened.triage.findings
    .filter((finding) => finding.code === "csi-driver-missing")
    .flatMap((finding) => finding.items);
  const unknown = whyUnknown(cluster, "csinodes");
  return {
    key: "csi",
    label: "CSI drivers",
    description: missing.length === 0 ? "" : `${missing.length} missing`,
    rows: (id): readonly Element[] => [
      ...(unknown === null || cluster.facts.index.drivers().length === 0
        ? []
        : [unknownRow(id, "Registered drivers", unknown)]),
      ...missing.map((item, index) =>
        element({
          parent: id,
          key: `missing ${driverIn(item.message, cluster.facts.index.drivers()) ?? index}`,
          kind: "driver",
          label: driverIn(item.message, cluster.facts.index.drivers()) ?? "CSI driver",
          description: "not registered",
          tooltip: [item.message, item.consequence, item.advice],
          state: stateOf(item.severity),
        }),
      ),
      ...registered.map((driver) => {
        const absent = absentRegistrar(opened, driver.name);
        const volumes = driver.allocatableCount === null ? "" : `, at most ${driver.allocatableCount} volumes`;
        return element({
          parent: id,
          key: driver.name,
          kind: "driver",
          label: driver.name,
          description: `registered${volumes}${absent === null ? "" : `, though ${absent} has no pod here`}`,
          state: absent === null ? "plain" : "warning",
        });
      }),
    ],
  };
}

/** The DaemonSet that brings the driver, where none of those that do has a pod on the node; null elsewhere. */
function absentRegistrar({ cluster, facts }: OpenedNode, driver: string): string | null {
  if (whyUnknown(cluster, "pods") !== null) return null;
  const registrars = cluster.facts.index.registrars(driver);
  const [first] = registrars;
  if (first === undefined || registrars.some(({ livingOn }) => livingOn.has(facts.name))) return null;
  return first.key;
}

/** The driver that the sentence names: the longest name that stands in it. */
function driverIn(message: string, drivers: readonly string[]): string | null {
  const named = drivers.filter((driver) => message.includes(driver));
  return named.sort((left, right) => right.length - left.length)[0] ?? null;
}
