import type { Storage } from "@headwater/contracts";
import type { OutsidePorts } from "../destinations/createDestination.ts";
import { LeastRate, type LeastRateLimits, storageRate } from "../destinations/leastRate.ts";
import { connectionFailure, storageRefused } from "../destinations/storageFailure.ts";
import { openLink } from "./openLink.ts";

/** A file outside: in a storage, whose path is the file's, or behind a link. */
export type SourceFile = Storage | { readonly type: "http" | "https"; readonly url: string };

/** Most bytes of a source. */
export const SOURCE_BYTES_MAX = 10 * 1024 * 1024 * 1024;

/** Time that a source may take. */
export interface SourceTimes extends LeastRateLimits {
  /** All of it, however fast it is. */
  readonly totalMs: number;
}

const sourceTimes: SourceTimes = { ...storageRate, totalMs: 4 * 3_600_000 };

/**
 * Reads a file from outside, at most 10 GiB, at 32 KiB a second or more and within four hours. Whoever stops before the end closes the
 * connection.
 * @throws HeadwaterError `STORAGE_CONNECTION_ERROR`; `retriable` when there was no answer.
 */
export async function* readSource(
  source: SourceFile,
  { times, ...ports }: OutsidePorts & { readonly times?: Partial<SourceTimes> },
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const limits = { ...sourceTimes, ...times };
  const rate = new LeastRate(limits);
  const ended = new AbortController();
  const giveUp = (reason: Error) => ended.abort(reason);
  const total = setTimeout(() => giveUp(storageRefused("tooLong")), limits.totalMs);
  const chunks = chunksOf(source, ports, AbortSignal.any([signal, ended.signal]));
  let bytes = 0;
  try {
    for (;;) {
      const next = await rate.wait(() => chunks.next(), giveUp);
      if (next.done === true) return;
      const chunk = Buffer.from(next.value);
      rate.moved(chunk.length);
      bytes += chunk.length;
      if (bytes > SOURCE_BYTES_MAX) throw storageRefused("tooLarge");
      yield chunk;
      // A reader that was slow itself is told before it waits for more.
      ended.signal.throwIfAborted();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw connectionFailure(ended.signal.aborted ? ended.signal.reason : error);
  } finally {
    clearTimeout(total);
    const closed = chunks.return(undefined);
    // A call that was given up may never end.
    if (ended.signal.aborted) void Promise.allSettled([closed]);
    else await closed;
  }
}

function chunksOf(source: SourceFile, ports: OutsidePorts, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  if (isLink(source)) return openLink(source.url, ports.outbound, signal);
  return ports.storages.readFile({ ...ports, storage: source }, signal);
}

/** Returns whether a file is behind a plain link; any other is in a storage. */
export function isLink<Source extends { readonly type: string }>(
  source: Source,
): source is Extract<Source, { readonly type: "http" | "https" }> {
  return source.type === "http" || source.type === "https";
}
