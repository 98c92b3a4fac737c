import type { Outbound } from "@headwater/kernel";
import { type Dispatcher, request } from "undici";
import { answerFailure, storageAway, storageRefused } from "../destinations/storageFailure.ts";

const REDIRECTS_MAX = 5;
const SILENCE_TIMEOUT_MS = 60_000;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Reads what stands behind a link, as it is sent. Each redirect is a connection of its own, and is checked like the first; none leads from
 * https to http.
 */
export async function* openLink(link: string, outbound: Outbound, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let url = new URL(link);
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    const answer = await get(url, outbound, signal);
    const next = REDIRECTS.has(answer.statusCode) ? nextOf(url, answer) : undefined;
    if (next === undefined) return yield* bodyOf(answer);
    await answer.body.dump();
    url = next;
  }
  throw storageRefused("request", "too many redirects");
}

function get(url: URL, { dispatcher }: Outbound, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
  if (!/^https?:$/.test(url.protocol)) throw storageRefused("request", "protocol");
  const timeouts = { headersTimeout: SILENCE_TIMEOUT_MS, bodyTimeout: SILENCE_TIMEOUT_MS };
  return request(url, { dispatcher, signal, ...timeouts, headers: { "user-agent": "headwater" } });
}

function nextOf(url: URL, { headers: { location } }: Dispatcher.ResponseData): URL {
  const next = typeof location === "string" ? URL.parse(location, url) : null;
  if (next === null || (url.protocol === "https:" && next.protocol !== "https:"))
    throw storageRefused("request", "redirect");
  return next;
}

async function* bodyOf({ statusCode, headers, body }: Dispatcher.ResponseData): AsyncGenerator<Uint8Array> {
  if (statusCode !== 200) {
    await body.dump();
    throw answerFailure(statusCode, "link");
  }
  let bytes = 0;
  for await (const chunk of body) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    yield part;
  }
  const announced = headers["content-length"];
  if (typeof announced === "string" && Number(announced) !== bytes) throw storageAway("body ended early");
}
