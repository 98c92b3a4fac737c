import fc from "fast-check";
import { generateSync } from "json-schema-faker";
import { mutate, mutation } from "../../pipeline/fuzz/mutate.ts";
import type { Schema } from "./description.ts";

const CHARACTERS_MAX = 48;
const ITEMS_MAX = 3;
const DEPTH_MAX = 4;

/** A value that the schema takes; the same for the same seed. */
export function valueFrom(schema: Schema, seed: number): unknown {
  const options = { seed, maxDepth: DEPTH_MAX, maxDefaultItems: ITEMS_MAX, optionalsProbability: 0.5 };
  return generateSync({ ...Object(bounded(schema)) }, options);
}

/** The schema with small upper bounds: the generator fills what is allowed, and 5 MiB of text find nothing more than 48 letters. */
function bounded(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(bounded);
  if (typeof node !== "object" || node === null) return node;
  const inner = Object.fromEntries(Object.entries(node).map(([name, member]) => [name, bounded(member)]));
  return { ...inner, ...capped(inner, "maxLength", CHARACTERS_MAX), ...capped(inner, "maxItems", ITEMS_MAX) };
}

function capped(node: Readonly<Record<string, unknown>>, name: string, most: number): object {
  const input = node[name];
  return typeof input === "number" ? { [name]: Math.min(input, most) } : {};
}

/** Bodies for one operation: as the schema says, and with one place of them or of the example changed. */
export function bodiesOf(
  { schema, example }: { readonly schema: Schema; readonly example: unknown },
  { seed, runs }: { readonly seed: number; readonly runs: number },
): readonly { readonly what: string; readonly body: unknown }[] {
  const generated = Array.from({ length: runs }, (_, run) => valueFrom(schema, seed + run));
  const mutations = fc.sample(mutation, { seed, numRuns: runs });
  const mutated = mutations.map((one, run) => mutate(run % 2 === 0 ? example : (generated[run] ?? example), one));
  return [
    ...generated.map((body) => ({ what: "a generated body", body })),
    ...mutated.map((body) => ({ what: "a changed body", body })),
  ];
}
