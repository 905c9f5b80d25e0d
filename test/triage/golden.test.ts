// Reports as people read them. A change of wording shows here, to be read and then accepted (vitest -u).
import { describe, expect, it } from "vitest";
import { triage } from "../../server/src/triage/triage.ts";
import { incidentsIn } from "./incident.ts";
import { reportText } from "./report-text.ts";

const SHOWN = [
  "n04-all-nodes-silent-at-once",
  "n11-disk-pressure-takes-csi-node",
  "n24-gpu-node-never-initialized",
  "n31-volume-held-by-lost-node",
  "n41-three-independent-faults",
  "labellers-wait-for-each-other",
  "rdma-pool-tainted",
  "webhook-keeps-daemon-pods-out",
];

describe("golden reports", () => {
  const incidents = new Map(["incidents", "variations"].flatMap(incidentsIn).map((one) => [one.name, one]));
  for (const name of SHOWN) {
    it(name.replaceAll("-", " "), async () => {
      const incident = incidents.get(name);
      if (incident === undefined) throw new Error(`no incident ${name}`);
      await expect(reportText(triage(incident.cluster))).toMatchFileSnapshot(`./golden/${name}.txt`);
    });
  }
});
