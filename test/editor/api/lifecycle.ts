// Starting, restarting, settings: what the editor and the language server owe each other.
import assert from "node:assert/strict";
import { ConfigurationTarget, commands, extensions, workspace } from "vscode";
import { logAgent } from "./manifests.ts";
import { type ApiTest, expectCodes, file, problems, show, taintwise, until, useCluster } from "./support.ts";

const CLUSTER = "cluster.yaml";

const write = (path: string, text: string) => workspace.fs.writeFile(file(path), Buffer.from(text));

export const lifecycleTests: readonly ApiTest[] = [
  {
    name: "activates on a YAML file, without waiting for the server",
    body: async () => {
      await show(file("manifests/log-agent.yaml"));
      const extension = extensions.getExtension("taintwise.taintwise");
      await until("activation", () => extension?.isActive);
      const api = await taintwise();
      await api.ready;
      console.log(`activate() took ${api.activation.toFixed(1)} ms`);
      assert.ok(api.activation < 50, `activate() took ${api.activation} ms`);
      assert.notEqual(api.processId(), null);
    },
  },
  {
    name: "holds the manifests against a cluster file when it is chosen, without an edit",
    body: async () => {
      await write("restart.yaml", logAgent("restart"));
      const uri = (await show(file("restart.yaml"))).uri;
      await useCluster(CLUSTER);
      await expectCodes(uri, ["toleration-gap"]);
    },
  },
  {
    name: "has one process, one finding and the same cluster after ten restarts",
    body: async () => {
      const uri = (await show(file("restart.yaml"))).uri;
      await expectCodes(uri, ["toleration-gap"]);
      const api = await taintwise();
      const first = api.processId();
      // Not one after the other: a restart that is asked for while another is under way waits its turn.
      await Promise.all(Array.from({ length: 10 }, () => commands.executeCommand("taintwise.restartServer")));
      assert.notEqual(api.processId(), first);
      await expectCodes(uri, ["toleration-gap"]);
      assert.equal(problems(uri).length, 1);
    },
  },
  {
    name: "comes back by itself when the process is killed",
    body: async () => {
      const uri = (await show(file("restart.yaml"))).uri;
      await expectCodes(uri, ["toleration-gap"]);
      const api = await taintwise();
      const killed = api.processId();
      assert.ok(killed !== null);
      process.kill(killed, "SIGKILL");
      await until("another process", () => api.processId() !== null && api.processId() !== killed);
      await expectCodes(uri, ["toleration-gap"]);
    },
  },
  {
    name: "applies a severity at once, and takes it back",
    body: async () => {
      const uri = (await show(file("restart.yaml"))).uri;
      await expectCodes(uri, ["toleration-gap"]);
      const settings = workspace.getConfiguration("taintwise");
      await settings.update("severity.toleration-gap", "off", ConfigurationTarget.Workspace);
      await expectCodes(uri, []);
      await settings.update("severity.toleration-gap", undefined, ConfigurationTarget.Workspace);
      await expectCodes(uri, ["toleration-gap"]);
    },
  },
  {
    name: "checks the documents of a language that is added, without a reload",
    body: async () => {
      await write("chart.values", logAgent("added"));
      const document = await show(file("chart.values"));
      assert.equal(document.languageId, "plaintext");
      const settings = workspace.getConfiguration("taintwise");
      await settings.update("languages", ["yaml", "plaintext"], ConfigurationTarget.Workspace);
      await expectCodes(document.uri, ["toleration-gap"]);
      await settings.update("languages", undefined, ConfigurationTarget.Workspace);
      await expectCodes(document.uri, []);
    },
  },
];
