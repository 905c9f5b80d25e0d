// Live cluster, transport: an answer of the API server that is not what was asked for.

export class ApiError extends Error {
  override readonly name = "ApiError";
  /** HTTP status, or the code of an ERROR watch frame. */
  readonly status: number;
  /** Status.reason: Forbidden, Expired, TooManyRequests …; empty when the body is no Status. */
  readonly reason: string;
  /** Milliseconds that the server asks to wait; null when it does not. */
  readonly retryAfter: number | null;

  constructor(status: number, reason: string, message: string, retryAfter: number | null) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.retryAfter = retryAfter;
  }

  /** The version asked for is gone: list again. */
  get gone(): boolean {
    return this.status === 410 || this.reason === "Expired" || this.reason === "Gone";
  }

  /** The version asked for is newer than what the server holds (k8s.io/apimachinery NewTooLargeResourceVersionError). */
  get tooLargeVersion(): boolean {
    return this.message.includes("Too large resource version");
  }
}
