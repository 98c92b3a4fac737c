import type { Accepted } from "./answers.ts";
import { ClientError, closedError } from "./clientError.ts";
import type { Entry } from "./deliver.ts";
import { createItemBuffer } from "./itemBuffer.ts";
import type { OperationName } from "./items.ts";
import type { Lane } from "./lane.ts";
import { ITEM_BYTES_MAX } from "./operations.ts";

export interface OutboxOptions {
  readonly buffer: Parameters<typeof createItemBuffer>[0];
  readonly createLane: (operation: OperationName) => Lane;
  /** Ends all that is under way. */
  readonly abort: (reason: Error) => void;
}

export interface ItemText {
  readonly text: string;
  readonly bytes: number;
}

/** All items that were taken and are not settled: the buffer that bounds them, and the lanes they go by. */
export function createOutbox({ buffer: limits, createLane, abort }: OutboxOptions) {
  const buffer = createItemBuffer(limits);
  const lanes = new Map<OperationName, Lane>();
  const open = new Set<Promise<Accepted>>();
  let closing: Promise<{ readonly undelivered: number }> | undefined;

  const laneOf = (operation: OperationName): Lane => {
    const lane = lanes.get(operation) ?? createLane(operation);
    lanes.set(operation, lane);
    return lane;
  };
  /** Enters an item for which there is room. */
  const enter = (lane: Lane, { text, bytes }: ItemText, signal?: AbortSignal): Promise<Accepted> => {
    const { promise, resolve, reject } = Promise.withResolvers<Accepted>();
    const leave = () => {
      buffer.release(bytes);
      open.delete(promise);
      signal?.removeEventListener("abort", onAbort);
    };
    const entry: Entry = {
      text,
      bytes,
      resolve(accepted) {
        leave();
        resolve(accepted);
      },
      reject(error) {
        leave();
        reject(error);
      },
    };
    // What is under way keeps its room until its request has ended.
    const onAbort = () => (lane.remove(entry) ? entry.reject(signal?.reason) : reject(signal?.reason));
    signal?.addEventListener("abort", onAbort, { once: true });
    open.add(promise);
    lane.add(entry);
    return promise;
  };
  const flush = () => {
    for (const lane of lanes.values()) lane.flush();
    return Promise.allSettled(open);
  };
  const abandon = () => {
    abort(closedError());
    for (const lane of lanes.values()) for (const entry of lane.abandon()) entry.reject(notSent());
  };
  const refuseWhenClosed = () => {
    if (closing !== undefined) throw closedError();
  };

  return {
    /** Waits for room where there is none. */
    async add(operation: OperationName, item: ItemText, signal?: AbortSignal): Promise<Accepted> {
      refuseWhenClosed();
      const lane = laneOf(operation);
      // Nothing is awaited when there is room, so that items keep the order of the calls.
      const waiting = buffer.take(item.bytes, signal);
      if (waiting !== undefined) {
        await waiting;
        if (closing !== undefined) buffer.release(item.bytes);
        refuseWhenClosed();
      }
      return enter(lane, item, signal);
    },
    tryAdd(operation: OperationName, item: ItemText): Promise<Accepted> | undefined {
      refuseWhenClosed();
      const lane = laneOf(operation);
      return buffer.tryTake(item.bytes) ? enter(lane, item) : undefined;
    },
    async room(signal?: AbortSignal): Promise<void> {
      refuseWhenClosed();
      await buffer.room(signal);
    },
    flush,
    close(deadlineMs: number): Promise<{ readonly undelivered: number }> {
      buffer.end(closedError());
      closing ??= endWithin(deadlineMs, flush(), abandon);
      return closing;
    },
    state() {
      const requestsInFlight = [...lanes.values()].reduce((sum, lane) => sum + lane.requestsInFlight(), 0);
      return { ...buffer.held(), requestsInFlight };
    },
  };
}

/** The item as it is now: what its owner changes later is not sent. @throws ClientError `rejected` beyond the API's bound. */
export function toItemText(item: object): ItemText {
  const text: string | undefined = JSON.stringify(item);
  if (text === undefined) throw new TypeError("an item must be an object");
  const bytes = Buffer.byteLength(text);
  if (bytes <= ITEM_BYTES_MAX) return { text, bytes };
  const message = `An item may have at most ${ITEM_BYTES_MAX} bytes.`;
  throw new ClientError({ kind: "rejected", code: "PAYLOAD_TOO_LARGE", message, path: "" });
}

type Settled = Promise<readonly PromiseSettledResult<Accepted>[]>;

async function endWithin(deadlineMs: number, settled: Settled, abandon: () => void) {
  const timer = setTimeout(abandon, deadlineMs);
  const results = await settled;
  clearTimeout(timer);
  return { undelivered: results.filter(isUndelivered).length };
}

function isUndelivered(result: PromiseSettledResult<Accepted>): boolean {
  return result.status === "rejected" && result.reason instanceof ClientError && result.reason.kind === "undelivered";
}

function notSent(): ClientError {
  const message = "The client was closed before this was sent.";
  return new ClientError({ kind: "undelivered", code: "UNDELIVERED", message });
}
