// Explorer layer, node rows: the section "Events": what was said about the node itself, newest first.
import { duration, isoTime } from "../../report/time.ts";
import { element } from "../element.ts";
import { type OpenedNode, type Section, unknownRow, whyUnknown } from "./section.ts";

/** An old warning may be long over, so that events are told and not judged. */
export function eventSection({ cluster, facts }: OpenedNode): Section {
  const unknown = whyUnknown(cluster, "events");
  const { now } = cluster.facts;
  return {
    key: "events",
    label: "Events",
    description: "",
    rows: (id) => [
      ...(unknown === null ? [] : [unknownRow(id, "Events", unknown)]),
      ...facts.events.toReversed().map((event, index) => {
        const age = event.lastSeen === null || now === null || now < event.lastSeen ? null : now - event.lastSeen;
        return element({
          parent: id,
          key: event.name === "" ? `${event.reason} ${index}` : `${event.namespace}/${event.name}`,
          kind: "event",
          label: event.reason,
          description: [
            age === null ? "" : `${duration(age)} ago`,
            event.count > 1 ? `${event.count} times` : "",
            event.message,
          ]
            .filter((part) => part !== "")
            .join(" · "),
          tooltip: [event.message, event.component, event.lastSeen === null ? "" : (isoTime(event.lastSeen) ?? "")],
          state: event.type === "Warning" ? "information" : "plain",
        });
      }),
    ],
  };
}
