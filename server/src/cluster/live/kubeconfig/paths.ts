// Live cluster, kubeconfig: which files hold it. Order as kubectl: explicit setting, KUBECONFIG list, default file.
// Source: k8s.io/client-go/tools/clientcmd NewDefaultClientConfigLoadingRules.

export interface KubeconfigPaths {
  readonly paths: readonly string[];
  /** `setting`: named by the user, so a missing file is an error; else missing files are skipped. */
  readonly from: "setting" | "KUBECONFIG" | "default";
}

export interface PathSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** `win32` splits at `;` (a drive's colon is no delimiter), every other platform at `:`. */
  readonly platform: string;
}

/**
 * The files to read, in order. `setting` is the user's own choice, empty when unset; `~` and `$NAME`, `%NAME%` are
 * expanded in it, but not in KUBECONFIG, where the shell does that.
 */
export function kubeconfigPaths(setting: string, around: PathSurroundings): KubeconfigPaths {
  if (setting.trim() !== "") return { paths: [expand(setting.trim(), around)], from: "setting" };
  const delimiter = around.platform === "win32" ? ";" : ":";
  const listed = (around.environment.KUBECONFIG ?? "").split(delimiter).filter((path) => path !== "");
  if (listed.length > 0) return { paths: [...new Set(listed)], from: "KUBECONFIG" };
  const separator = around.platform === "win32" ? "\\" : "/";
  return { paths: [[around.home, ".kube", "config"].join(separator)], from: "default" };
}

function expand(path: string, around: PathSurroundings): string {
  const home = path === "~" || path.startsWith("~/") || path.startsWith("~\\") ? around.home + path.slice(1) : path;
  const value = (name: string, whole: string): string => around.environment[name] ?? whole;
  return home
    .replace(/\$\{(\w+)\}|\$(\w+)/g, (whole, braced: string | undefined, bare: string | undefined) =>
      value(braced ?? bare ?? "", whole),
    )
    .replace(/%(\w+)%/g, (whole, name: string) => value(name, whole));
}

/** A path of another system, in words; null when it can be one of this platform. */
export function foreignPath(path: string, platform: string): string | null {
  if (platform === "win32") return null;
  if (/^[A-Za-z]:[\\/]/.test(path))
    return `${path} is a Windows path; on this machine it is nowhere (in WSL: /mnt/${path.charAt(0).toLowerCase()}/…)`;
  if (path.startsWith("\\\\")) return `${path} is a Windows network path; on this machine it is nowhere`;
  if (path.startsWith("~"))
    return `${path}: the ~ was not expanded; a shell does that in KUBECONFIG, not Taintwise (write the whole path)`;
  return null;
}
