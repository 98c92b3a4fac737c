import { ClientError } from "./clientError.ts";

export interface BufferLimits {
  readonly items: number;
  readonly bytes: number;
  /** Calls that may wait for space. */
  readonly waiting: number;
}

/** Counts what is held, and lets callers wait for space in the order in which they came. */
export interface ItemBuffer {
  /** Takes space, if there is some and nobody waits for it. */
  tryTake(bytes: number): boolean;
  /** Takes space at once (undefined), or waits. @throws ClientError `full`; rejects with the signal's reason, or what `end` was given. */
  take(bytes: number, signal?: AbortSignal): Promise<void> | undefined;
  /** Resolves when there is space for something, at once (undefined) or later; takes none. */
  room(signal?: AbortSignal): Promise<void> | undefined;
  release(bytes: number): void;
  /** All that wait are refused. */
  end(error: Error): void;
  held(): { readonly items: number; readonly bytes: number; readonly waiting: number };
}

interface Waiter {
  /** 0 bytes and no item for one who only asks for space. */
  readonly bytes: number;
  readonly takes: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export function createItemBuffer(limits: BufferLimits): ItemBuffer {
  const waiters = new Set<Waiter>();
  let items = 0;
  let heldBytes = 0;

  const fits = (bytes: number) => items < limits.items && heldBytes + bytes <= limits.bytes;
  const hold = (bytes: number) => {
    items += 1;
    heldBytes += bytes;
  };
  /** One who does not fit holds up those behind, so that large items are not passed over for ever. */
  const admit = () => {
    for (const waiter of waiters) {
      if (!fits(waiter.bytes)) return;
      waiters.delete(waiter);
      if (waiter.takes) hold(waiter.bytes);
      waiter.resolve();
    }
  };
  const wait = (bytes: number, takes: boolean, signal: AbortSignal | undefined): Promise<void> => {
    if (waiters.size >= limits.waiting) throw fullError();
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        waiters.delete(waiter);
        reject(signal?.reason);
        admit();
      };
      const done = () => signal?.removeEventListener("abort", onAbort);
      const waiter: Waiter = {
        bytes,
        takes,
        resolve() {
          done();
          resolve();
        },
        reject(error) {
          done();
          reject(error);
        },
      };
      waiters.add(waiter);
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  };
  const tryTake = (bytes: number) => {
    if (waiters.size > 0 || !fits(bytes)) return false;
    hold(bytes);
    return true;
  };

  return {
    tryTake,
    take: (bytes, signal) => (tryTake(bytes) ? undefined : wait(bytes, true, signal)),
    room: (signal) => (waiters.size === 0 && fits(1) ? undefined : wait(1, false, signal)),
    release(bytes) {
      items -= 1;
      heldBytes -= bytes;
      admit();
    },
    end(error) {
      for (const waiter of waiters) waiter.reject(error);
      waiters.clear();
    },
    held: () => ({ items, bytes: heldBytes, waiting: waiters.size }),
  };
}

function fullError(): ClientError {
  return new ClientError({
    kind: "full",
    code: "BUFFER_FULL",
    message: "The buffer and its queue of waiting calls are full. Await room() before each send().",
  });
}
