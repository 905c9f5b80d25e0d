// Client: every text that people read at run time. One place, so that a translator finds all of them; whole sentences
// with named parameters, never glued together. `npm run l10n` writes l10n/bundle.l10n.json from this file.
import { l10n } from "vscode";

/** The title of messages and of the output channel; a name, not translated. */
export const PRODUCT = "Taintwise";

export const texts = {
  age: {
    minutes: (count: number) => l10n.t("{count} min", { count }),
    hours: (count: number) => l10n.t("{count} h", { count }),
    days: (count: number) => l10n.t("{count} d", { count }),
    unknown: () => l10n.t("age unknown"),
    live: () => l10n.t("live"),
  },
  status: {
    name: () => l10n.t("Taintwise cluster"),
    none: () => l10n.t("no cluster"),
    noneDetail: () =>
      l10n.t("No cluster is chosen, so placement is unknown. Only what a manifest shows by itself is checked."),
    loading: () => l10n.t("reading the cluster"),
    unusable: () => l10n.t("cluster cannot be read"),
    one: (name: string, age: string) => l10n.t("{name} · {age}", { name, age }),
    several: (count: number, age: string) => l10n.t("{count} clusters · {age}", { count, age }),
    stopped: () => l10n.t("server stopped"),
    stoppedDetail: () => l10n.t("The language server crashed several times and stays down. Click to start it again."),
    starting: () => l10n.t("starting"),
    fresh: () => l10n.t("fresh"),
    stale: () => l10n.t("old"),
    partial: () => l10n.t("partly known"),
    choose: () => l10n.t("Click to choose another cluster."),
    detail: (name: string, state: string, nodes: number, age: string) =>
      nodes === 1
        ? l10n.t("{name}: {state}, 1 node, observed {age} ago", { name, state, age })
        : l10n.t("{name}: {state}, {nodes} nodes, observed {age} ago", { name, state, nodes, age }),
    detailNoTime: (name: string, state: string, nodes: number) =>
      nodes === 1
        ? l10n.t("{name}: {state}, 1 node, observation time unknown", { name, state })
        : l10n.t("{name}: {state}, {nodes} nodes, observation time unknown", { name, state, nodes }),
    detailLive: (name: string, state: string, nodes: number) =>
      nodes === 1
        ? l10n.t("{name}: {state}, 1 node, followed live", { name, state })
        : l10n.t("{name}: {state}, {nodes} nodes, followed live", { name, state, nodes }),
    source: (source: string) => l10n.t("From {source}", { source }),
    sourceOn: (source: string, host: string) => l10n.t("From {source} on {host}", { source, host }),
    missing: (parts: string) => l10n.t("Not in it: {parts}. What depends on them is unknown.", { parts }),
    forbidden: (parts: string) => l10n.t("Not allowed to read: {parts}. What depends on them is unknown.", { parts }),
    failed: (parts: string) => l10n.t("Could not be read: {parts}. What depends on them is unknown.", { parts }),
    spoken: (text: string) => l10n.t("Taintwise cluster: {text}", { text }),
  },
  select: {
    title: () => l10n.t("Select a cluster for Taintwise"),
    placeholder: () => l10n.t("What are the manifests held against?"),
    openFile: () => l10n.t("Open file…"),
    openFileDetail: () => l10n.t("What `kubectl get … -o yaml` or `-o json` wrote, or a Taintwise snapshot"),
    openFolder: () => l10n.t("Open folder…"),
    openFolderDetail: () => l10n.t("A dump with one file for each kind"),
    openContext: () => l10n.t("Context of the kubeconfig…"),
    openContextDetail: () => l10n.t("A live cluster; nothing is contacted before you choose one"),
    contexts: () => l10n.t("Which context?"),
    noContexts: () => l10n.t("The kubeconfig names no context."),
    current: () => l10n.t("kubectl's current context"),
    unusable: (reason: string) => l10n.t("cannot be used: {reason}", { reason }),
    asConfigured: () => l10n.t("As settings and taintwise.yaml say"),
    none: () => l10n.t("No cluster"),
    noneDetail: () => l10n.t("Check only what a manifest shows by itself"),
    recent: () => l10n.t("recent"),
    chosen: () => l10n.t("chosen"),
    use: () => l10n.t("Use as cluster"),
    clusterFiles: () => l10n.t("Cluster files"),
    failed: (problem: string) => l10n.t("The cluster cannot be used: {problem}", { problem }),
    now: (name: string, nodes: number) =>
      nodes === 1
        ? l10n.t("Manifests are held against {name} (1 node).", { name })
        : l10n.t("Manifests are held against {name} ({nodes} nodes).", { name, nodes }),
    offer: (file: string) => l10n.t("{file} lists nodes. Hold your manifests against it?", { file }),
    offerUse: () => l10n.t("Use as Cluster"),
    offerNever: () => l10n.t("Not This File"),
  },
  permission: {
    plugin: (context: string) =>
      l10n.t("The context {context} runs a program to sign in, and it comes from this workspace. Run it?", { context }),
    pluginDetail: (command: string, file: string) =>
      l10n.t(
        "{command}\n\nnamed in {file}\n\nRun it only if you trust who wrote it. The answer is remembered for this workspace.",
        {
          command,
          file,
        },
      ),
    run: () => l10n.t("Run"),
    signIn: (context: string, command: string) =>
      l10n.t(
        "The cluster {context} was followed here last time. Its sign-in runs {command}, which may open a login window.",
        {
          context,
          command,
        },
      ),
    now: () => l10n.t("Sign In"),
    always: () => l10n.t("Always at Start"),
    plainHttp: (context: string) =>
      l10n.t("The context {context} leads to another machine by plain http. Connect?", { context }),
    plainHttpDetail: (server: string) =>
      l10n.t("{server}\n\nWhat is sent can be read and changed on the way. Neither token nor certificate is sent.", {
        server,
      }),
    connect: () => l10n.t("Connect"),
  },
  server: {
    crashed: () => l10n.t("The Taintwise server stopped unexpectedly and was started again."),
    gaveUp: (count: number) =>
      l10n.t("The Taintwise server crashed {count} times in three minutes and was not started again.", { count }),
    quarantined: (name: string) =>
      l10n.t(
        "The Taintwise server stopped several times while {name} was at hand. It is left out until you save it; everything else is checked.",
        { name },
      ),
    failed: (reason: string) => l10n.t("The Taintwise server could not start: {reason}", { reason }),
    showLog: () => l10n.t("Show Log"),
    restart: () => l10n.t("Restart"),
    notRunning: () => l10n.t("The Taintwise server is not running."),
    requestFailed: (reason: string) => l10n.t("Taintwise could not answer: {reason}", { reason }),
  },
  report: {
    gone: () =>
      l10n.t(
        "This report is no longer kept. Run the command again: it is computed from the manifests and the cluster.",
      ),
  },
  explain: {
    noEditor: () => l10n.t("Open a manifest and put the cursor into a workload first."),
    choose: () => l10n.t("Which workload?"),
    working: () => l10n.t("Explaining the workload"),
  },
  preflight: {
    title: () => l10n.t("What would a taint do?"),
    target: () => l10n.t("Node names separated by commas, or a label selector such as pool=rdma"),
    taint: () => l10n.t("A taint as kubectl writes it: dedicated=rdma:NoSchedule"),
    useTyped: (value: string) => l10n.t("Use “{value}”", { value }),
    nodes: (count: number) => (count === 1 ? l10n.t("1 node") : l10n.t("{count} nodes", { count })),
    inUse: () => l10n.t("in use in this cluster"),
    selectors: () => l10n.t("selectors"),
    nodeList: () => l10n.t("nodes"),
    working: () => l10n.t("Computing what the taint would do"),
    fixes: (count: number) =>
      count === 1
        ? l10n.t("1 workload can be made to tolerate it first.")
        : l10n.t("{count} workloads can be made to tolerate it first.", { count }),
    showFixes: () => l10n.t("Choose Fixes"),
    pickFixes: () => l10n.t("Fixes to apply to files, or to copy as kubectl commands"),
    editsFile: () => l10n.t("edits its manifest"),
    copiesCommand: () => l10n.t("copies a kubectl command"),
    noFix: () => l10n.t("no manifest and no safe command"),
    changed: (file: string) => l10n.t("{file} changed in the meantime. Run the preflight again.", { file }),
    copied: (count: number) =>
      count === 1
        ? l10n.t("1 kubectl command is on the clipboard.")
        : l10n.t("{count} kubectl commands are on the clipboard.", { count }),
    applied: (count: number) =>
      count === 1
        ? l10n.t("1 manifest was edited; it is not saved yet.")
        : l10n.t("{count} manifests were edited; they are not saved yet.", { count }),
  },
  check: {
    working: () => l10n.t("Checking the workspace"),
    found: (errors: number, warnings: number, notes: number, files: number) =>
      l10n.t("Errors: {errors}, warnings: {warnings}, notes: {notes}. Files: {files}.", {
        errors,
        warnings,
        notes,
        files,
      }),
    clean: (workloads: number, files: number) =>
      l10n.t("Nothing found. Workloads: {workloads}, files: {files}.", { workloads, files }),
    noCluster: () => l10n.t("There is no cluster, so placement is unknown."),
    truncated: () => l10n.t("The scan stopped at its limit, so files may be missing."),
    showProblems: () => l10n.t("Show Problems"),
    selectCluster: () => l10n.t("Select Cluster"),
  },
  patch: {
    copied: (title: string) => l10n.t("On the clipboard: {title}", { title }),
  },
  explorer: {
    badge: (problems: number, nodes: number) =>
      l10n.t("{problems} of {nodes} nodes have problems", { problems, nodes }),
    judging: () => l10n.t("Looking at the nodes…"),
    paused: () => l10n.t("Paused: the rows do not follow the cluster"),
    working: () => l10n.t("Writing the report"),
    wholeCluster: () => l10n.t("The whole cluster"),
    whichNode: () => l10n.t("Which node?"),
    whichCheck: (name: string) => l10n.t("Which check of {name}? It is typed into a terminal and not run.", { name }),
    whichFile: (name: string) => l10n.t("Several manifests may define {name}", { name }),
    whichTarget: () => l10n.t("Which node or workload?"),
    whichWorkload: () => l10n.t("Which workload is to be fixed?"),
    nothingToFix: () => l10n.t("No workload is in trouble, so that there is nothing to fix."),
    noWorkload: (name: string) => l10n.t("The cluster has no workload for {name} that could be changed.", { name }),
    patchOffer: (advice: string) => l10n.t("{advice} No manifest of the workspace defines it.", { advice }),
    copyCommand: () => l10n.t("Copy kubectl Command"),
    copyPatch: () => l10n.t("Copy JSON Patch"),
    filterTitle: () => l10n.t("Filter nodes and workloads"),
    filterPrompt: () => l10n.t("Words that the name, pool, taints or problem contain; empty shows everything"),
    groupTitle: () => l10n.t("How are nodes shown?"),
    byPool: () => l10n.t("By pool, worst first"),
    byProblem: () => l10n.t("By problem"),
    flat: () => l10n.t("In one list, worst first"),
    compareTitle: () => l10n.t("What changed since which snapshot?"),
    compare: () => l10n.t("Compare"),
    noReport: () => l10n.t("Open a report first, with Run Triage for one."),
    copied: () => l10n.t("The report is on the clipboard as Markdown."),
  },
  change: {
    gone: () => l10n.t("This comparison is no longer kept. Run the command again."),
    applyFix: () => l10n.t("Apply to Cluster…"),
    cordon: (context: string) => l10n.t("Cordon nodes in {context}", { context }),
    uncordon: (context: string) => l10n.t("Uncordon nodes in {context}", { context }),
    taint: (context: string) => l10n.t("Taint nodes in {context}", { context }),
    dryRun: (name: string) => l10n.t("Dry run for {name}; nothing is changed", { name }),
    diff: (object: string, context: string) => l10n.t("{object} in {context}: now ↔ dry run", { object, context }),
    shown: (context: string) =>
      l10n.t("What is shown is a dry run in the context {context}. Read it, then choose.", { context }),
    goOn: (context: string) => l10n.t("Change {context}…", { context }),
    leave: () => l10n.t("Leave It"),
    leaveDetail: () => l10n.t("Nothing is changed."),
    confirm: (what: string, object: string, context: string) =>
      l10n.t("Context {context}: {what}: {object}?", { context, what, object }),
    server: (server: string) => l10n.t("The context leads to {server}", { server }),
    apply: (context: string) => l10n.t("Change {context}", { context }),
    openSetting: () => l10n.t("Open the Setting"),
    rollout: (object: string, context: string) => l10n.t("Rollout of {object} in {context}", { object, context }),
    rolloutSays: (object: string, context: string, summary: string) =>
      l10n.t("{object} in {context}: {summary}", { object, context, summary }),
    notFollowed: (object: string, context: string) =>
      l10n.t("The rollout of {object} in {context} is not followed any more; it goes on.", { object, context }),
  },
  coverage: {
    title: () => l10n.t("Taintwise Coverage"),
    noCluster: () => l10n.t("No cluster is in use."),
    legend: () => l10n.t("Legend"),
    runs: () => l10n.t("runs"),
    bomb: () => l10n.t("time bomb"),
    gap: () => l10n.t("gap"),
    excluded: () => l10n.t("excluded"),
    waits: () => l10n.t("waits for a taint to go"),
    nodes: () => l10n.t("nodes"),
    grid: () => l10n.t("Node classes by platform DaemonSets"),
    sortWorst: () => l10n.t("Worst first"),
    whatIf: () => l10n.t("What if the class had the taint"),
    whatIfClass: () => l10n.t("Class"),
    whatIfShow: () => l10n.t("Show"),
    whatIfClear: () => l10n.t("Clear"),
    saveSvg: () => l10n.t("Save SVG"),
    savePng: () => l10n.t("Save PNG"),
    cluster: () => l10n.t("Cluster"),
  },
  example: {
    missing: () => l10n.t("This build of Taintwise has no example."),
  },
  note: {
    name: () => l10n.t("Taintwise"),
    template: () => l10n.t("template: not checked"),
    conflict: () => l10n.t("merge conflict: not checked"),
    tooLarge: () => l10n.t("too large: not checked"),
    excluded: () => l10n.t("excluded"),
    record: () => l10n.t("objects of a cluster: not judged"),
    quarantined: () => l10n.t("not checked until it is saved"),
    failed: () => l10n.t("check failed"),
  },
} as const;
