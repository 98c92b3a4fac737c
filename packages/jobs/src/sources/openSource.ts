import type { Storage } from "@headwater/contracts";
import { type Outbound, type OutsideResponse, requestOutside } from "@headwater/kernel";
import type { OutsidePorts } from "../destinations/createDestination.ts";
import { LeastRate, type LeastRateLimits, storageRate } from "../destinations/leastRate.ts";
import { answerFailure, connectionFailure, storageAway, storageRefused } from "../destinations/storageFailure.ts";

const REDIRECTS_MAX = 5;

const SILENCE_TIMEOUT_MS = 60_000;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

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

/**
 * Reads what stands behind a link, as it is sent. Each redirect is a connection of its own, and is checked like the first; none leads from
 * https to http.
 */
async function* openLink(link: string, outbound: Outbound, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let url = new URL(link);
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    const answer = await get(url, outbound, signal);
    const next = REDIRECTS.has(answer.status) ? nextOf(url, answer) : undefined;
    if (next === undefined) return yield* bodyOf(answer);
    endBody(answer);
    url = next;
  }
  throw storageRefused("request", "too many redirects");
}

function get(url: URL, outbound: Outbound, signal: AbortSignal): Promise<OutsideResponse> {
  if (!/^https?:$/.test(url.protocol)) throw storageRefused("request", "protocol");
  const headers = { "user-agent": "headwater" };
  return requestOutside(url, { method: "GET", headers, outbound, signal, silenceMs: SILENCE_TIMEOUT_MS });
}

/** The body of an answer that is not a file may be endless: its connection is closed instead. */
function endBody({ body }: OutsideResponse): void {
  body.on("error", () => undefined).destroy();
}

function nextOf(url: URL, { headers: { location } }: OutsideResponse): URL {
  const next = location === undefined ? null : URL.parse(location, url);
  if (next === null || (url.protocol === "https:" && next.protocol !== "https:"))
    throw storageRefused("request", "redirect");
  return next;
}

async function* bodyOf(answer: OutsideResponse): AsyncGenerator<Uint8Array> {
  const { status, headers, body } = answer;
  if (status !== 200) {
    endBody(answer);
    throw answerFailure(status, "link");
  }
  let bytes = 0;
  for await (const chunk of body) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    yield part;
  }
  const announced = headers["content-length"];
  if (announced !== undefined && Number(announced) !== bytes) throw storageAway("body ended early");
}
