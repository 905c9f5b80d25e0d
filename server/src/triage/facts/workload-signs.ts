// Triage layer, facts: what a workload's own text tells of the nodes and devices it is for.
import type { Workload } from "../../kube/workload.ts";
import { tellingWords } from "./words.ts";

const EVERYWHERE = /^(beta\.)?kubernetes\.io\/(os|arch)$/;

/** Whether labels of its own choice, operating system and architecture aside, pick the nodes. */
export function picksNodes(workload: Workload): boolean {
  const { nodeSelector, requiredAffinity } = workload.template;
  if (Object.keys(nodeSelector).some((key) => !EVERYWHERE.test(key))) return true;
  const terms = requiredAffinity?.terms ?? [];
  return (
    terms.length > 0 &&
    terms.every((term) =>
      term.matchExpressions.some(
        ({ key, operator }) => !EVERYWHERE.test(key) && (operator === "In" || operator === "Exists"),
      ),
    )
  );
}

/** The telling words of its names, images and host paths, lower case. */
export function wordsOf(workload: Workload): ReadonlySet<string> {
  const texts = [
    workload.name ?? "",
    workload.namespace ?? "",
    ...workload.template.containers.flatMap((container) => [container.name, imagePath(container.image)]),
    ...workload.template.volumes.map((volume) => volume.hostPath ?? ""),
  ];
  return new Set(texts.flatMap(tellingWords));
}

/** An image's repository without registry and tag. */
function imagePath(image: string): string {
  const path = image.includes("/") ? image.slice(image.indexOf("/") + 1) : image;
  return path.replace(/[@:].*$/, "");
}
