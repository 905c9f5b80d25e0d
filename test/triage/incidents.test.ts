// Incidents from the wild: findings in their order, severity and root of every node, and nothing else.
import { describe, expect, it } from "vitest";
import { answerOf, incidentsIn } from "./incident.ts";

for (const folder of ["incidents", "variations"]) {
  describe(folder, () => {
    for (const incident of incidentsIn(folder)) {
      it(incident.name.replaceAll("-", " "), () => {
        expect([...answerOf(incident)].sort()).toEqual([...incident.expected].sort());
      });
    }
  });
}
