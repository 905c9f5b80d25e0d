// Incidents from the wild: findings in their order, severity and root of every node, and nothing else.
import { describe, expect, it } from "vitest";
import { answerOf, type Incident, incidentsIn, readIncident } from "./incident.ts";

/** The same dump when nobody says when it was taken. */
function undated(incident: Incident): Incident {
  return readIncident(incident.name, incident.text.replace(/^#= observed .*$/m, ""));
}

for (const folder of ["incidents", "variations", "incidents-elsewhere", "incidents-of-vendors"]) {
  describe(folder, () => {
    for (const incident of incidentsIn(folder)) {
      it(incident.name.replaceAll("-", " "), () => {
        expect([...answerOf(incident)].sort()).toEqual([...incident.expected].sort());
      });
    }

    it("say the same when the time is only what the dump shows", () => {
      for (const incident of incidentsIn(folder)) {
        expect([incident.name, ...[...answerOf(undated(incident))].sort()]).toEqual([
          incident.name,
          ...[...incident.expected].sort(),
        ]);
      }
    });
  });
}
