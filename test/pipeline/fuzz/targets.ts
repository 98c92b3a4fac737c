import { operations } from "@headwater/intake/operations/registry";
import { partnerEndpoints } from "@headwater/intake/partners/registry";
import fc from "fast-check";
import type { Caller } from "../stack.ts";
import { arbitraryOf } from "./arbitraryOf.ts";

/** One endpoint of the ingress. */
export interface Target {
  readonly name: string;
  readonly isBatch: boolean;
  pathOf(caller: Caller): string;
  /** Bodies, or items of a batch: complete ones of a sender and ones made from the shape. */
  readonly body: fc.Arbitrary<unknown>;
  /** A body, or an item of a batch, that is taken. */
  readonly sample: unknown;
  headersOf(bytes: Buffer, caller: Caller): Readonly<Record<string, string>>;
}

export const SECRET = "a secret of the fuzz";

const half = (sample: unknown, created: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(sample) }, { weight: 2, arbitrary: created });

/** All 32: every operation single and as a batch, and every endpoint of a partner. */
export function targetsFor(caller: Caller): readonly Target[] {
  const key = { "x-api-key": caller.key };
  const intake = operations.flatMap(({ name, body, sample }): Target[] => {
    const bodies = half(sample, arbitraryOf(body));
    const common = { body: bodies, sample, headersOf: () => key };
    return [
      { ...common, name, isBatch: false, pathOf: () => `/api/${name}` },
      { ...common, name: `${name}/batch`, isBatch: true, pathOf: () => `/api/${name}/batch` },
    ];
  });
  return [...intake, ...partnerEndpoints.map((endpoint) => partnerTarget(endpoint, caller))];
}

function partnerTarget(
  { partner, name, path, auth, body, sample }: (typeof partnerEndpoints)[number],
  caller: Caller,
): Target {
  const bodies = fc.tuple(half(sample, arbitraryOf(body)), fc.noBias(fc.nat()));
  return {
    name: `${partner}/${name}`,
    isBatch: false,
    pathOf: ({ accountId }) => path.replace("{accountId}", accountId),
    body: bodies.map(([value, number]) => asOfCaller(value, caller, number)),
    sample: asOfCaller(sample, caller, 0),
    headersOf(bytes) {
      if (auth.kind === "signature") return { [auth.header]: auth.sign(bytes, SECRET, Date.now()) };
      return auth.kind === "apiKey" ? { "x-api-key": caller.key } : {};
    },
  };
}

/** The caller's key where a body carries one, and a page of its own: a sender never sends one page twice at the same time. */
function asOfCaller(value: unknown, { key }: Caller, number: number): unknown {
  return JSON.parse(JSON.stringify(value), (member, inner) => {
    if (member === "apiKey") return key;
    return member === "sync_task_id" && typeof inner === "string" ? `${inner}-${number}` : inner;
  });
}
