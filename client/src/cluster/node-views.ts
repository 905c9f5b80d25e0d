// Client: nodes of a cluster that no file holds, as read-only documents, so that "go to definition" has somewhere to go.
import { type Disposable, EventEmitter, type Uri, workspace } from "vscode";
import { NODE_SCHEME, NodeView } from "../../../shared/src/protocol.ts";
import type { LanguageServer } from "../connection/language-server.ts";
import type { ClusterSource } from "./cluster-source.ts";

/** Serves the documents until disposed; open ones follow the cluster. */
export function serveNodeViews(server: LanguageServer, source: ClusterSource): Disposable {
  const changed = new EventEmitter<Uri>();
  const subscriptions = [
    changed,
    workspace.registerTextDocumentContentProvider(NODE_SCHEME, {
      onDidChange: changed.event,
      provideTextDocumentContent: async (uri, token) =>
        (await server.request(NodeView, { uri: uri.toString() }, token)).text,
    }),
    source.onChanged(() => {
      for (const { uri } of workspace.textDocuments) if (uri.scheme === NODE_SCHEME) changed.fire(uri);
    }),
  ];
  return {
    dispose: () => {
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}
