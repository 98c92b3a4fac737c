import type { IncomingMessage } from "node:http";
import type { BodyCharge } from "./bodyBudget.ts";
import type { BodyHead } from "./bodyHead.ts";
import type { BodyWatch } from "./bodyWatch.ts";
import { type Bound, type Check, type Received, receive } from "./receive.ts";
import { type BodyRules, badEncoding, noMemory } from "./refusedBody.ts";
import { unpack } from "./unpack.ts";

export type BodyResult =
  | { readonly kind: "body"; readonly bytes: Buffer }
  | Exclude<Received, { readonly kind: "received" }>;

export interface BodyReading {
  readonly head: BodyHead;
  readonly rules: BodyRules;
  readonly watch: BodyWatch;
  /** Holds what the body holds; given back already when there is no body. */
  readonly charge: BodyCharge;
  readonly bound: Bound;
  readonly look?: Check;
  readonly done: (result: BodyResult) => void;
}

const NO_BYTES = Buffer.alloc(0);

/**
 * Reads a request's body into one buffer, within bounds of size, time and memory. A body that is refused is not read on here;
 * `done` is called exactly once.
 */
export function readBody(request: IncomingMessage, reading: BodyReading): void {
  const { head, watch, charge, bound, look: check, done } = reading;
  if (head.isEmpty) {
    done({ kind: "body", bytes: NO_BYTES });
  } else if (head.announcedBytes !== undefined && check === undefined && head.announcedBytes > bound.bytesMax) {
    done(bound.over("bytes"));
  } else {
    receive(request, {
      watch,
      charge,
      bound,
      ...(check && { look: check }),
      done(received) {
        if (received.kind !== "received") done(received);
        else if (head.isGzip) unpackBody(received.bytes, received.bound, reading);
        else done({ kind: "body", bytes: received.bytes });
      },
    });
  }
}

/** Stops at the bound: a bomb is never unpacked beyond it, nor beyond what there is memory for. */
function unpackBody(compressed: Buffer, bound: Bound, { rules, charge, done }: BodyReading): void {
  const { bytesMax } = bound;
  charge
    .unpacking(() => unpack(compressed, { bytesMax, charge }))
    .then((unpacked): BodyResult => {
      charge.remove(compressed.length);
      switch (unpacked.kind) {
        case "bytes":
          return { kind: "body", bytes: unpacked.bytes };
        case "tooLarge":
          return bound.over("decompressed_bytes");
        case "notGzip":
          return badEncoding(rules, "gzip");
        case "noMemory":
          return noMemory();
      }
    })
    .then(done, (error: unknown) => done({ kind: "failed", error }));
}
