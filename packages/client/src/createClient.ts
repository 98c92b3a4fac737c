import type { Accepted } from "./answers.ts";
import { deliver } from "./deliver.ts";
import { exchange } from "./exchange.ts";
import type { Items, OperationName } from "./items.ts";
import { batchItemsMax } from "./operations.ts";
import { type ClientOptions, readOptions } from "./options.ts";
import { Outbox, toItemText } from "./outbox.ts";
import { createQueue } from "./queue.ts";
import { type Receipt, type ReceiptOptions, readReceipt, type WaitOptions, waitForReceipt } from "./receipts.ts";

export interface Client {
  /**
   * Sends one item in a batch with others of its operation; waits for space where the buffer is full. Resolves when the item
   * is in the log. @throws ClientError of any kind but `timeout`, or the reason of `signal`: an item that was in no request
   * then is not sent, of any other it is not known.
   */
  send<Name extends OperationName>(operation: Name, item: Items[Name], options?: SendOptions): Promise<Accepted>;
  /**
   * Sends like `send`, but never waits: returns undefined, and sends nothing, when there is no space.
   * @throws ClientError `rejected`, `closed`.
   */
  trySend<Name extends OperationName>(operation: Name, item: Items[Name]): Sent | undefined;
  /** Resolves when there is space for another item. Awaited before each `send` it keeps a fast producer within bounds. */
  room(options?: SendOptions): Promise<void>;
  /** Sends what waits without lingering; resolves when all that was taken before is resolved. Never rejects. */
  flush(): Promise<void>;
  /**
   * Takes nothing any more and sends what it holds. What is not resolved at the deadline (default 30 s) rejects as `undelivered`.
   * @returns how many items those were.
   */
  close(options?: { readonly deadlineMs?: number }): Promise<{ readonly undelivered: number }>;
  /** Returns what became of a request's records so far. @throws ClientError `refused` when the receipt is unknown, `undelivered`. */
  receipt(token: string, options?: ReceiptOptions): Promise<Receipt>;
  /** Follows a receipt until no record is pending or parked. @throws ClientError `timeout` after `timeoutMs`, else as `receipt`. */
  waitFor(token: string, options?: WaitOptions): Promise<Receipt>;
  /** Returns what is held and under way now. */
  state(): ClientState;
}

export interface SendOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface Sent {
  /** Resolves as the promise of `send` does. */
  readonly verdict: Promise<Accepted>;
}

export interface ClientState {
  readonly items: number;
  readonly bytes: number;
  /** Calls that wait for space. */
  readonly waiting: number;
  readonly requestsInFlight: number;
}

const CLOSE_MS = 30_000;

/** A client of one account. While nothing is under way it holds no timer of its own. @throws TypeError for wrong options. */
export function createClient(input: ClientOptions): Client {
  const options = readOptions(input);
  const ending = new AbortController();
  const outbox = new Outbox({
    buffer: options.buffer,
    createLane: (operation) => queueOf(operation, options, ending.signal),
    abort: (reason) => ending.abort(reason),
  });
  const receipts = { ...options, persistence: persistenceOf(options) };
  return {
    async send(operation, item, { signal } = {}) {
      signal?.throwIfAborted();
      return outbox.add(operation, toItemText(item), signal);
    },
    trySend(operation, item) {
      const resolved = outbox.tryAdd(operation, toItemText(item));
      // Another promise than the one that flush and close wait for, so that an unhandled rejection is reported.
      return resolved && { verdict: resolved.then((accepted) => accepted) };
    },
    async room({ signal } = {}) {
      signal?.throwIfAborted();
      await outbox.room(signal);
    },
    flush: async () => void (await outbox.flush()),
    close: ({ deadlineMs = CLOSE_MS } = {}) => outbox.close(deadlineMs),
    receipt: (token, asked) => readReceipt(receipts, token, asked),
    waitFor: (token, asked) => waitForReceipt(receipts, token, asked),
    state: () => outbox.state(),
  };
}

type Options = ReturnType<typeof readOptions>;

function queueOf(operation: OperationName, options: Options, signal: AbortSignal) {
  if (!Object.hasOwn(batchItemsMax, operation)) throw new TypeError(`unknown operation ${operation}`);
  const url = new URL(`api/${operation}/batch`, options.url);
  const parts = { ...options, persistence: persistenceOf(options), url, signal };
  return createQueue({
    limits: { ...options.batch, items: Math.min(options.batch.items, batchItemsMax[operation]) },
    requestsInFlightMax: options.requestsInFlightMax,
    deliver: (batch) => deliver(parts, batch),
  });
}

function persistenceOf({ retry, onRetry }: Options) {
  return { exchange, policy: retry, onRetry };
}
