import type { IncomingMessage } from "node:http";
import { refusal } from "../answers/refusal.ts";
import type { BodyWatch } from "./bodyWatch.ts";
import { streamTooSlow, tooLarge } from "./refusedBody.ts";

export interface BodyStreaming {
  readonly watch: BodyWatch;
  readonly bytesMax: number;
}

/**
 * Yields a request's body as it comes, for routes that never hold it whole. Reading on is asked for by whoever takes the chunks, so that a slow
 * disk slows the client.
 * @throws HeadwaterError 413 beyond the bound, 408 for one that is too slow, 400 when it breaks off.
 */
export async function* streamBody(
  request: IncomingMessage,
  { watch, bytesMax }: BodyStreaming,
): AsyncGenerator<Buffer> {
  let received = 0;
  const slow = Promise.withResolvers<"slow">();
  const tooSlow = () => slow.resolve("slow");
  const unwatch = watch.add({ receivedBytes: () => request.socket.bytesRead, tooSlow, isLong: true });
  const chunks = request.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await Promise.race([chunks.next().catch(brokenOff), slow.promise]);
      if (next === "slow") throw streamTooSlow();
      if (next.done === true) break;
      const chunk: Buffer = next.value;
      received += chunk.length;
      if (received > bytesMax) throw tooLarge("bytes", bytesMax).error;
      yield chunk;
    }
    // A request that never was on a socket says nothing of it.
    if (request.complete === false) throw brokenOff();
  } finally {
    unwatch();
    // It waits for chunks as long as it is not told: what a refused request still sends could not be discarded.
    void chunks.return?.();
  }
}

function brokenOff(): never {
  throw refusal("BAD_REQUEST", "The body broke off.");
}
