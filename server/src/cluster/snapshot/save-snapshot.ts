// Cluster layer, snapshot: onto the disk, whole or not at all.
import { randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import type { ClusterModel } from "../model.ts";
import { snapshotChunks } from "./write-snapshot.ts";

/**
 * Writes a model's snapshot to `path`: into a file beside it, then renamed, so that no reader sees half of it and an
 * older snapshot stays where writing fails. The folder must be there. Lets other work pass between chunks. Rejects with
 * the system's error.
 */
export async function saveSnapshot(path: string, model: ClusterModel): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    // Names of nodes and pods are nobody else's business.
    const file = await open(temporary, "wx", 0o600);
    try {
      for (const chunk of snapshotChunks(model)) {
        await file.write(chunk);
        await setImmediate();
      }
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
