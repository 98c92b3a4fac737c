import { HeadwaterError, OUTBOUND_REFUSED, privateAddressRefused } from "@headwater/kernel";

/** Bytes of an answer of a storage, but for those of a file. */
export const ANSWER_BYTES_MAX = 1024 * 1024;

/** Reasons that a storage gives, or that we have, to refuse a connection for good. */
export const refusals = {
  address: privateAddressRefused.outgoing,
  notThere: "The bucket, container, folder or file does not exist.",
  signIn: "The storage refused the credentials.",
  forbidden: "The credentials do not allow this.",
  hostKey: "The server's host key is not the expected one.",
  longHostKey: "The server's host key has more than 8,192 bits.",
  userKey: "The private key has more than 4,096 bits.",
  certificate: "The server's TLS certificate is not valid.",
  unknownHost: "The host's name does not exist.",
  request: "The storage refused the request.",
  tooLarge: "The file is too large.",
  tooSlow: "It is too slow: a storage has to move 32 KiB a second, averaged over a minute.",
  tooLong: "The file takes longer than four hours to fetch.",
  tooManyFiles: "The folder has more than 100,000 files.",
  longAnswer: "The storage's answer is longer than 1 MiB.",
} as const;
export type Refusal = keyof typeof refusals;

/** Texts of drivers may hold a URL with its signature: of the cause only a short name goes into logs. */
export function storageRefused(refusal: Refusal, cause?: string): HeadwaterError {
  return storageError(`The storage connection failed. ${refusals[refusal]}`, false, cause);
}

/** Nobody answered, or with an error that may pass by itself. */
export function storageAway(cause?: string): HeadwaterError {
  return storageError("The storage does not answer.", true, cause);
}

/** @param cause a short name; whatever else it holds is cut. */
export function storageError(publicMessage: string, retriable: boolean, cause: string | undefined): HeadwaterError {
  const known = cause === undefined ? {} : { cause: new Error(cause.replace(/[^\w.: -]/g, "").slice(0, 64)) };
  return new HeadwaterError({ code: "STORAGE_CONNECTION_ERROR", status: 422, publicMessage, retriable, ...known });
}

/** Code of a connection to another host than the storage's. */
export const OTHER_ADDRESS = "OTHER_ADDRESS";
const CAUSES_MAX = 8;
const CERTIFICATE = /^(CERT_|ERR_TLS_CERT|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|ERR_SSL_|EPROTO$)/;

/** Returns the error of a failed connection, of which drivers keep the code if not the error itself. One that is ours already stays as it is. */
export function connectionFailure(error: unknown): HeadwaterError {
  if (error instanceof HeadwaterError) return error;
  for (const cause of causesOf(error)) {
    const code = nameOf(cause);
    if (code === OUTBOUND_REFUSED) return storageRefused("address");
    if (code === OTHER_ADDRESS) return storageRefused("request", code);
    if (code === "ENOTFOUND") return storageRefused("unknownHost", code);
    if (CERTIFICATE.test(code)) return storageRefused("certificate", code);
  }
  return storageAway(nameOf(error));
}

/** Returns the error of an answer with a status of HTTP. 408, 429 and 5xx may pass by themselves. */
export function answerFailure(status: number, code: string): HeadwaterError {
  if (status === 404) return storageRefused("notThere", code);
  if (status === 401) return storageRefused("signIn", code);
  if (status === 408 || status === 429 || status >= 500) return storageAway(`${status} ${code}`);
  return storageRefused("request", `${status} ${code}`);
}

function causesOf(error: unknown): Error[] {
  const found: Error[] = [];
  const pending = [error];
  while (pending.length > 0 && found.length < CAUSES_MAX) {
    const next = pending.pop();
    if (!(next instanceof Error)) continue;
    found.push(next);
    pending.push(next.cause, ...(next instanceof AggregateError ? next.errors : []));
  }
  return found;
}

export function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return String(Reflect.get(error, "code") ?? error.name);
}

/** Returns true when a host answered that nobody listens there: at first use a mistake, later a restart. */
export function isClosedPort(error: unknown): boolean {
  return error instanceof HeadwaterError && error.cause instanceof Error && error.cause.message === "ECONNREFUSED";
}
