// Kubernetes data layer, decoding: Events of core/v1 and events.k8s.io.
import type { ClusterEvent } from "../event.ts";
import { type Interner, NO_SHARING } from "./interner.ts";
import { decodeMetadata } from "./metadata.ts";
import { integerOf, type JsonObject, objectOf, textOf, timeOf } from "./reading.ts";

/**
 * Decodes an Event of either API; the newer one calls the object `regarding`, the message `note`, the reporter
 * `reportingController`, and prefixes the older times and counts with `deprecated`. Never throws.
 */
export function decodeEvent(value: unknown, interner: Interner = NO_SHARING): ClusterEvent {
  const event = objectOf(value);
  const metadata = decodeMetadata(event, interner);
  const { texts } = interner;
  const series = objectOf(event.series);
  const source = objectOf(event.source ?? event.deprecatedSource);
  const eventTime = timeOf(event.eventTime);
  return {
    namespace: metadata.namespace,
    name: metadata.name,
    involved: decodeInvolved(objectOf(event.involvedObject ?? event.regarding), interner),
    type: texts.share(textOf(event.type)),
    reason: texts.share(textOf(event.reason)),
    message: texts.share(textOf(event.message ?? event.note)),
    count: Math.max(1, integerOf(event.count ?? event.deprecatedCount) ?? 1, integerOf(series.count) ?? 1),
    firstSeen: timeOf(event.firstTimestamp ?? event.deprecatedFirstTimestamp) ?? eventTime ?? metadata.createdAt,
    lastSeen:
      timeOf(series.lastObservedTime) ??
      timeOf(event.lastTimestamp ?? event.deprecatedLastTimestamp) ??
      eventTime ??
      metadata.createdAt,
    component: texts.share(reporterOf(event, source)),
    host: texts.share(textOf(source.host)),
  };
}

function reporterOf(event: JsonObject, source: JsonObject): string {
  return textOf(source.component) || textOf(event.reportingComponent) || textOf(event.reportingController);
}

function decodeInvolved(object: JsonObject, interner: Interner): ClusterEvent["involved"] {
  const { texts } = interner;
  return {
    apiVersion: texts.share(textOf(object.apiVersion)),
    kind: texts.share(textOf(object.kind)),
    namespace: texts.share(textOf(object.namespace)),
    name: texts.share(textOf(object.name)),
    uid: texts.share(textOf(object.uid)),
    fieldPath: texts.share(textOf(object.fieldPath)),
  };
}
