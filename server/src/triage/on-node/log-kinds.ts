// Triage layer, on the node: the kinds of trouble that the logs of kubelet and container runtime tell of, gravest first.
// A line is of the first kind that matches. Sources: k8s.io/kubernetes/pkg/kubelet and its packages pleg, eviction,
// images, cm, certificate, oom, volumemanager; containerd and CRI-O.

export interface LogKind {
  readonly title: string;
  /** What it means and what to look at, in one or two sentences. */
  readonly means: string;
  /** Every repetition in it is bounded: a log may hold anything, and thousands of lines are matched. */
  readonly pattern: RegExp;
}

export const LOG_KINDS: readonly LogKind[] = [
  {
    title: "The service ended",
    means: "systemd starts it again; the lines before its end say why.",
    pattern:
      /Main process exited|Failed with result|Start request repeated too quickly|restart counter is at|"?command failed"?( err=|: )|failed to run Kubelet|^panic: /i,
  },
  {
    title: "A disk is broken or read-only",
    means: "Look at dmesg for I/O errors before anything else is restarted.",
    pattern: /input\/output error|read-only file system|structure needs cleaning|stale file handle/i,
  },
  {
    title: "No space or no inodes left",
    means: "Look at df -h and df -i; inotify watches say the same when their limit is reached.",
    pattern: /no space left on device|disk quota exceeded/i,
  },
  {
    title: "Too many open files or watches",
    means: "A limit is reached: fs.inotify.max_user_instances and max_user_watches, or the open files of the process.",
    pattern: /too many open files|inotify|fsnotify.{0,200}(fail|error)|user limit on the total number/i,
  },
  {
    title: "No more processes or memory for new ones",
    means: "The limit of process ids is reached, or memory is short.",
    pattern: /resource temporarily unavailable|cannot allocate memory|pthread_create failed|newosproc/i,
  },
  {
    title: "Out of memory",
    means: "The kernel killed processes; dmesg names them and the cgroup that was full.",
    pattern: /system oom encountered|\boom[- ]?kill|\/tasks\/oom|TaskOOM|memory cgroup out of memory/i,
  },
  {
    title: "PLEG is not healthy",
    means: "Listing the containers takes too long: the runtime or the disk under it hangs, or the CPUs are taken.",
    pattern: /PLEG is not healthy|pleg (was last seen|has yet to be)/i,
  },
  {
    title: "The container runtime does not answer",
    means: "The kubelet cannot start or list anything until it does.",
    pattern:
      /container runtime (is down|not ready|network not ready: NetworkReady=false reason:(?!NetworkPluginNotReady))|(containerd|crio|cri-dockerd|docker)[\w/.-]*\.sock\b.{0,200}(connection refused|no such file|deadline|unavailable)|(runtime service|image service|\b(List|Run|Stop|Remove)(PodSandbox|Containers?)|ContainerStatus|Status from runtime).{0,200}code = (Unavailable|DeadlineExceeded)/i,
  },
  {
    title: "cgroup driver or cgroup setup",
    means:
      "Kubelet and runtime must use the same driver (SystemdCgroup in the runtime's configuration, cgroupDriver of the kubelet).",
    pattern:
      /cgroup driver|slice:prefix:name|cgroupsPath|failed to (create|apply|get).{0,40}cgroup|cgroup v1.{0,200}(not supported|unsupported)/i,
  },
  {
    title: "State that an earlier configuration left",
    means:
      "After a change of the CPU, memory or topology policy the state file must go: cpu_manager_state, memory_manager_state.",
    pattern: /could not restore state from checkpoint|differs from state checkpoint|checkpoint is corrupted/i,
  },
  {
    title: "A certificate is expired or not trusted",
    means: "Look at the dates of /var/lib/kubelet/pki, at Pending requests (kubectl get csr) and at the node's clock.",
    pattern:
      /x509: |certificate (has|is) expired|bad certificate|client certificate is expired|certificate signing request.{0,200}(denied|not signed|timed out|failed)/i,
  },
  {
    title: "The API server refuses the node",
    means: "Its credentials are no longer valid, or its Node object is another's.",
    pattern: /\bUnauthorized\b|is forbidden: |Unable to register node|node "[^"]+" not found|must be logged in/i,
  },
  {
    title: "The API server is not reached",
    means:
      "The lease is not renewed meanwhile and the node turns Unknown; look at the way from the node to the API server.",
    pattern:
      /(unable to|error|failed to) updat\w+ (node status|lease)|failed to (ensure|get|update) lease|net\/http: (TLS handshake timeout|request canceled)|dial tcp .{0,200}(i\/o timeout|no route|refused|unreachable)|lookup .{0,200} (no such host|i\/o timeout)/i,
  },
  {
    title: "Pods are evicted to free a resource",
    means: "The resource named was below its threshold.",
    pattern:
      /eviction manager: (attempting to reclaim|must evict|pods? (evicted|ranked|is evicted)|unable to evict|timed out|eviction thresholds|cannot evict)/i,
  },
  {
    title: "Images cannot be cleaned up",
    means: "What fills the disk is in use, or no image at all; pods are evicted next.",
    pattern:
      /image filesystem is over the high threshold|image garbage collection failed|failed to garbage collect|wanted to free \d+ bytes|freed \d+ bytes|invalid capacity 0|ImageGCFailed/i,
  },
  {
    title: "Log rotation or garbage collection of containers fails",
    means: "Logs and dead containers fill the disk.",
    pattern: /failed to rotate log|container garbage collection failed/i,
  },
  {
    title: "The pod network is not set up",
    means: "No CNI configuration in /etc/cni/net.d, or its plugin fails: look at the network plugin's pod on the node.",
    pattern:
      /cni plugin not initialized|network plugin (is )?not ready|NetworkPluginNotReady|no networks found in|plugin type="?[\w-]+"? failed|failed to (setup|set up|destroy) network for sandbox|failed to load cni|failed to find plugin/i,
  },
  {
    title: "A CSI driver is not registered or does not answer",
    means: "Look at the driver's node pod and its registrar, and at /var/lib/kubelet/plugins_registry.",
    pattern:
      /not found in the list of registered CSI drivers|RegisterPlugin|plugin_watcher|plugins_registry|csi.{0,200}(GetInfo|NodeGetInfo|registration).{0,200}(fail|error)/i,
  },
  {
    title: "A device plugin came or went",
    means: "Its resource has no healthy device until it registers again.",
    pattern:
      /ListAndWatch ended unexpectedly|device plugin.{0,200}(fail|error|unable|disconnected|stopped|bad registration)|failed to dial device plugin|mark all resources unhealthy|device registration error|no healthy devices|unhealthy devices|nvidia-container-cli/i,
  },
  {
    title: "Volumes are not mounted or not cleaned up",
    means:
      "Look at the CSI driver's pod on the node; an orphaned pod's folder must be looked into before it is removed.",
    pattern:
      /MountVolume\.\w+ failed|UnmountVolume\.\w+ failed|unable to attach or mount volumes|orphaned pod .{0,200} volume/i,
  },
  {
    title: "Containers or their sandboxes do not start",
    means: "The message names the step: shim, sandbox, OCI runtime.",
    pattern:
      /OCI runtime create failed|failed to (create|start) (containerd task|shim|containerd-shim|sandbox)|shim disconnected|containerd-shim.{0,200}(fail|error)|shim task|failed to (create|get) sandbox|RunPodSandbox.{0,200} failed|CreatePodSandbox/i,
  },
  {
    title: "Images are not pulled",
    means: "The registry refuses, cannot be reached or limits the rate.",
    pattern:
      /failed to (pull|resolve) (and unpack )?(image|reference)|PullImage.{0,200} failed|toomanyrequests|ErrImagePull/i,
  },
];

/**
 * What the kubelet's log is searched for: what klog or logfmt call a warning or worse, and what tells of trouble on a
 * lower level. Failed probes, which fill a log, are none of it. One pattern for Go (which checks it), PCRE2 and
 * PowerShell, so without anything that one of them lacks.
 */
export const KUBELET_PATTERN =
  '(?i)^[EFW][0-9]{4} |level=(error|fatal)|"err":|process exited|with result|command failed|restart counter|repeated too|evict|reclaim|high threshold|unhealthy|disconnected|oom.?kill|sys(tem)? oom|panic:';

/** The same for a container runtime. */
export const RUNTIME_PATTERN =
  "(?i)level=(error|fatal|panic)|process exited|with result|restart counter|repeated too|taskoom|oom.?kill|shim disconnected|panic:";
