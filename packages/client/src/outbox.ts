import type { Accepted } from "./answers.ts";
import { ClientError, closedError } from "./clientError.ts";
import type { Entry } from "./deliver.ts";
import { createItemBuffer, type ItemBuffer } from "./itemBuffer.ts";
import type { OperationName } from "./items.ts";
import { ITEM_BYTES_MAX } from "./operations.ts";
import type { Queue } from "./queue.ts";

export interface OutboxOptions {
  readonly buffer: Parameters<typeof createItemBuffer>[0];
  readonly createLane: (operation: OperationName) => Queue;
  /** Ends all that is under way. */
  readonly abort: (reason: Error) => void;
}

export interface ItemText {
  readonly text: string;
  readonly bytes: number;
}

/** All items that were taken and are not resolved: the buffer that bounds them, and the queues they go by. */
export class Outbox {
  readonly #createLane: OutboxOptions["createLane"];
  readonly #abort: OutboxOptions["abort"];
  readonly #buffer: ItemBuffer;
  readonly #lanes = new Map<OperationName, Queue>();
  readonly #open = new Set<Promise<Accepted>>();
  #closing: Promise<{ readonly undelivered: number }> | undefined;

  constructor({ buffer: limits, createLane: createQueue, abort }: OutboxOptions) {
    this.#createLane = createQueue;
    this.#abort = abort;
    this.#buffer = createItemBuffer(limits);
  }

  /** Waits for space where there is none. */
  async add(operation: OperationName, item: ItemText, signal?: AbortSignal): Promise<Accepted> {
    this.#refuseWhenClosed();
    const queue = this.#laneOf(operation);
    // Nothing is awaited when there is space, so that items keep the order of the calls.
    const waiting = this.#buffer.take(item.bytes, signal);
    if (waiting !== undefined) {
      await waiting;
      if (this.#closing !== undefined) this.#buffer.release(item.bytes);
      this.#refuseWhenClosed();
    }
    return this.#enter(queue, item, signal);
  }

  tryAdd(operation: OperationName, item: ItemText): Promise<Accepted> | undefined {
    this.#refuseWhenClosed();
    const lane = this.#laneOf(operation);
    return this.#buffer.tryTake(item.bytes) ? this.#enter(lane, item) : undefined;
  }

  async room(signal?: AbortSignal): Promise<void> {
    this.#refuseWhenClosed();
    await this.#buffer.room(signal);
  }

  flush(): Resolved {
    for (const lane of this.#lanes.values()) lane.flush();
    return Promise.allSettled(this.#open);
  }

  close(deadlineMs: number): Promise<{ readonly undelivered: number }> {
    this.#buffer.end(closedError());
    this.#closing ??= endWithin(deadlineMs, this.flush(), () => this.#abandon());
    return this.#closing;
  }

  state(): { requestsInFlight: number; items: number; bytes: number; waiting: number } {
    const requestsInFlight = [...this.#lanes.values()].reduce((sum, lane) => sum + lane.requestsInFlight(), 0);
    return { ...this.#buffer.held(), requestsInFlight };
  }

  #laneOf(operation: OperationName): Queue {
    const lane = this.#lanes.get(operation) ?? this.#createLane(operation);
    this.#lanes.set(operation, lane);
    return lane;
  }

  /** Enters an item for which there is space. */
  #enter(lane: Queue, { text, bytes }: ItemText, signal?: AbortSignal): Promise<Accepted> {
    const { promise, resolve, reject } = Promise.withResolvers<Accepted>();
    const leave = () => {
      this.#buffer.release(bytes);
      this.#open.delete(promise);
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
    // What is under way keeps its space until its request has ended.
    const onAbort = () => (lane.remove(entry) ? entry.reject(signal?.reason) : reject(signal?.reason));
    signal?.addEventListener("abort", onAbort, { once: true });
    this.#open.add(promise);
    lane.add(entry);
    return promise;
  }

  #abandon(): void {
    this.#abort(closedError());
    for (const lane of this.#lanes.values()) for (const entry of lane.abandon()) entry.reject(notSent());
  }

  #refuseWhenClosed(): void {
    if (this.#closing !== undefined) throw closedError();
  }
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

type Resolved = Promise<readonly PromiseSettledResult<Accepted>[]>;

async function endWithin(deadlineMs: number, resolved: Resolved, abandon: () => void) {
  const timer = setTimeout(abandon, deadlineMs);
  const results = await resolved;
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
