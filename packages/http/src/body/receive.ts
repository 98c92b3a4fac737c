import type { IncomingMessage } from "node:http";
import type { BodyCharge } from "./bodyBudget.ts";
import type { BodyWatch } from "./bodyWatch.ts";
import { noMemory, type Refused, tooSlow } from "./refusedBody.ts";
import { joined } from "./unpack.ts";

export type Received =
  | { readonly kind: "received"; readonly bytes: Buffer; readonly bound: Bound }
  | Refused
  | Failed
  /** The client hung up: there is nobody to answer. */
  | { readonly kind: "gone" };

/** Failure to find who or what the body needs. */
export interface Failed {
  readonly kind: "failed";
  readonly error: unknown;
}

/** Number of bytes that may come, and the answer to more. */
export interface Bound {
  readonly bytesMax: number;
  over(what: "bytes" | "decompressed_bytes"): Refused | Failed;
}

/** Checks the beginning of a body whose caller is to be found in it. */
export interface Check {
  /** It is checked after so many bytes, and at the end. */
  readonly atBytes: readonly number[];
  /** @returns the bound from here on, undefined when more has to come before anything can be said. */
  look(beginning: Buffer, isWhole: boolean): Promise<Bound | Refused | undefined>;
}

export interface Receiving {
  readonly watch: BodyWatch;
  readonly charge: BodyCharge;
  readonly bound: Bound;
  readonly look?: Check;
  readonly done: (received: Received) => void;
}

/** Receives a request's body, charging what has come; `done` is called exactly once. A refused body is not read on here. */
export function receive(request: IncomingMessage, receiving: Receiving): void {
  new Receiver(request, receiving).start();
}

class Receiver {
  readonly #request: IncomingMessage;
  readonly #receiving: Receiving;
  readonly #chunks: Buffer[] = [];
  #bound: Bound;
  #length = 0;
  #looks: readonly number[];
  #isLooking = false;
  #hasEnded = false;
  #isOver = false;
  #unwatch: () => void = () => undefined;

  constructor(request: IncomingMessage, receiving: Receiving) {
    this.#request = request;
    this.#receiving = receiving;
    this.#bound = receiving.bound;
    this.#looks = receiving.look?.atBytes ?? [];
  }

  start(): void {
    if (this.#request.destroyed) {
      this.#finish({ kind: "gone" });
      return;
    }
    this.#unwatch = this.#receiving.watch.add({
      receivedBytes: () => this.#length,
      tooSlow: () => this.#finish(tooSlow()),
    });
    this.#request.on("data", this.#onData);
    this.#request.on("end", this.#onEnd);
    this.#request.on("close", this.#onClose);
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#length += chunk.length;
    if (this.#length > this.#bound.bytesMax) {
      this.#finish(this.#bound.over("bytes"));
    } else if (this.#receiving.charge.add(chunk.length)) {
      this.#chunks.push(chunk);
      const [next] = this.#looks;
      if (next !== undefined && this.#length >= next) this.#look();
    } else {
      this.#finish(noMemory());
    }
  };

  readonly #onEnd = (): void => {
    this.#hasEnded = true;
    if (this.#receiving.look !== undefined && this.#looks.length > 0) {
      if (!this.#isLooking) this.#look();
    } else if (!this.#isLooking) {
      this.#finish({ kind: "received", bytes: joined(this.#chunks, this.#length), bound: this.#bound });
    }
  };

  readonly #onClose = (): void => {
    // A request that has come whole is closed, too.
    if (!this.#hasEnded) this.#finish({ kind: "gone" });
  };

  /** Nothing more is read meanwhile. */
  #look(): void {
    const { look: check } = this.#receiving;
    if (check === undefined) return;
    this.#isLooking = true;
    this.#request.pause();
    this.#looks = this.#looks.filter((bytes) => bytes > this.#length);
    check.look(joined(this.#chunks, this.#length), this.#hasEnded).then(
      (result) => this.#goOn(result),
      (error: unknown) => this.#finish({ kind: "failed", error }),
    );
  }

  #goOn(outcome: Bound | Refused | undefined): void {
    this.#isLooking = false;
    if (this.#isOver) return;
    if (outcome !== undefined && "kind" in outcome) {
      this.#finish(outcome);
      return;
    }
    if (outcome !== undefined) {
      this.#looks = [];
      this.#bound = outcome;
    }
    if (this.#length > this.#bound.bytesMax) this.#finish(this.#bound.over("bytes"));
    else if (this.#hasEnded) this.#onEnd();
    else this.#request.resume();
  }

  #finish(received: Received): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#unwatch();
    this.#request.off("data", this.#onData);
    this.#request.off("end", this.#onEnd);
    this.#request.off("close", this.#onClose);
    if (received.kind !== "received") this.#receiving.charge.release();
    this.#receiving.done(received);
  }
}
