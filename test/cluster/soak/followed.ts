// The soak's follower process, as the soak sees it.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Question, Standing, Usage } from "./follower.ts";

export interface Followed {
  standing(): Promise<Standing>;
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

/** Starts the follower of a kubeconfig's context `test`; it remembers models in the folder `storage`. */
export function startFollower(kubeconfig: string, storage: string): Followed {
  const child = fork(fileURLToPath(new URL("follower.ts", import.meta.url)), [kubeconfig, storage], {
    execArgv: ["--expose-gc", "--no-warnings"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  return {
    standing: () => ask<Standing>(child, "standing"),
    usage: () => ask<Usage>(child, "usage"),
    stop: async () => {
      const ended = once(child, "exit");
      child.send("stop" satisfies Question);
      await ended;
    },
  };
}

/** One question at a time: the next message is its answer. */
async function ask<Answer>(child: ChildProcess, question: Question): Promise<Answer> {
  const ended = new AbortController();
  const onExit = (): void => ended.abort(new Error("the follower ended"));
  child.once("exit", onExit);
  try {
    const answered = once(child, "message", { signal: ended.signal });
    child.send(question);
    const [answer] = await answered;
    return answer as Answer;
  } finally {
    child.off("exit", onExit);
  }
}
