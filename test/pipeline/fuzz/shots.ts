import fc from "fast-check";
import { type Mutation, mutate, mutation, type Spoiling, spoil, spoiling } from "./mutate.ts";
import type { Target } from "./targets.ts";

/** Plan of one request; all of it comes from the seed. */
export interface Plan {
  readonly target: Target;
  readonly items: readonly { readonly value: unknown; readonly mutations: readonly Mutation[] }[];
  readonly spoiling: Spoiling | undefined;
  readonly flags: readonly ("strict" | "verbose" | "validateOnly")[];
  readonly isKeyed: boolean;
  readonly isNdjson: boolean;
}

const ITEMS_MAX = 4;

function itemOf({ body }: Target) {
  const mutations = fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 3, arbitrary: fc.array(mutation, { minLength: 1, maxLength: 3 }) },
  );
  return fc.record({ value: body, mutations });
}

/** Requests to one endpoint. */
export function planOf(target: Target): fc.Arbitrary<Plan> {
  const rarely = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined, freq: 6 });
  const items = target.isBatch
    ? fc.array(itemOf(target), { minLength: 0, maxLength: ITEMS_MAX })
    : fc.tuple(itemOf(target)).map((one): Plan["items"] => one);
  return fc.record({
    target: fc.constant(target),
    items,
    spoiling: fc
      .boolean()
      .chain((isSpoilt) => (isSpoilt ? rarely(spoiling).map((value) => value) : fc.constant(undefined))),
    flags: fc.oneof(
      { weight: 4, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.subarray(["strict", "verbose", "validateOnly"] as const) },
    ),
    isKeyed: fc.boolean(),
    isNdjson: fc.boolean(),
  });
}

/** Two requests that every endpoint sees, whatever the seed draws: one that is taken and one that is refused. */
export function surePlansOf(target: Target): Plan[] {
  const taken: Plan = {
    target,
    items: [{ value: target.sample, mutations: [] }],
    spoiling: undefined,
    flags: [],
    isKeyed: false,
    isNdjson: false,
  };
  return [taken, { ...taken, spoiling: { at: 0, byte: 0, way: "empty" } }];
}

/** A request as it goes out. */
export interface Shot {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string;
  /** Position of the good neighbour among the items of a batch that must be validated item by item. */
  readonly neighbourAt: number | undefined;
  readonly isDry: boolean;
  readonly isWhole: boolean;
}

/** @param neighbour an item of the batch that is right; it stands in the middle of the others. */
export function toShot(
  plan: Plan,
  { neighbour, number }: { readonly neighbour: unknown; readonly number: number },
): Shot {
  const { target, isNdjson, flags } = plan;
  const values = plan.items.map(({ value, mutations }) => mutations.reduce<unknown>(mutate, value));
  const at = Math.floor(values.length / 2);
  const items = target.isBatch ? values.toSpliced(at, 0, neighbour) : values;
  const asLines = target.isBatch && isNdjson;
  const bytes = Buffer.from(asLines ? items.map(toText).join("\n") : toText(target.isBatch ? { items } : items[0]));
  const { headers, ...spoilt } =
    plan.spoiling === undefined ? { bytes, headers: {}, isWhole: true } : spoil(bytes, plan.spoiling);
  const type = asLines ? "application/x-ndjson" : "application/json";
  const key = plan.isKeyed && target.isBatch ? { "idempotency-key": `fuzz-${number}` } : {};
  return {
    ...spoilt,
    headers: { "content-type": type, ...key, ...headers },
    query: flags.length > 0 && target.isBatch ? `?${flags.map((flag) => `${flag}=true`).join("&")}` : "",
    neighbourAt: target.isBatch ? at : undefined,
    isDry: flags.includes("validateOnly"),
  };
}

function toText(value: unknown): string {
  return JSON.stringify(value) ?? "";
}
