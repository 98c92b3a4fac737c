import type { ErrorDetail } from "@headwater/kernel";
import { isDeeperThan } from "@headwater/kernel/depth";
import type { JSONValue } from "@headwater/messaging/providerEvents/expressions";
import { type AskHost, serveTasks } from "@headwater/sandbox/serve";
import { type CompiledMapping, compileMapping, type MadeRecord } from "./compileMapping.ts";
import type { Mapping } from "./mapping.ts";

/** Bodies to map, and bounds of what they make together. */
export interface MapRequest {
  readonly mapping: Mapping;
  /** JSON: the body, or a list of bodies. */
  readonly json: Uint8Array;
  /** Each element of the list is a body of its own. */
  readonly isList: boolean;
  readonly recordsMax: number;
  /** Bytes of all records as JSON. */
  readonly bytesMax: number;
}

/** Records that were made, each with the index of its body. */
export interface MadeRecords {
  readonly bodies: readonly number[];
  readonly records: readonly MadeRecord[];
}

/** Result of a mapping; all records but the last ones were handed over before. */
export type MapResult =
  | ({ readonly kind: "made" } & MadeRecords)
  | { readonly kind: "notJson" }
  | { readonly kind: "tooDeep" }
  | { readonly kind: "tooMany"; readonly what: "records" | "bytes_written" };

const BODY_LEVELS_MAX = 64;
/** Time and bytes between two answers of the host: a deadline between them bounds the time of a record. */
const HAND_OVER_MS = 50;
const HAND_OVER_BYTES = 1024 * 1024;

const mappingTasks = {
  check: (mapping: Mapping): readonly ErrorDetail[] => {
    const compiled = compileMapping(mapping);
    return "problems" in compiled ? compiled.problems : [];
  },
  map: async (request: MapRequest, ask: AskHost): Promise<MapResult> => {
    const parsed = parsedOf(request.json);
    if (parsed === undefined) return { kind: "notJson" };
    if (isDeeperThan(parsed, BODY_LEVELS_MAX + (request.isList ? 1 : 0))) return { kind: "tooDeep" };
    const bodies = request.isList && Array.isArray(parsed) ? parsed : [parsed];
    return mapped(bodies, request, ask);
  },
};

/** Tasks of the processes that run the mappings of data jobs. */
export type MappingTasks = typeof mappingTasks;

async function mapped(
  bodies: readonly JSONValue[],
  { mapping, recordsMax, bytesMax }: MapRequest,
  ask: AskHost,
): Promise<MapResult> {
  const { records } = compiledOf(mapping);
  let made: { bodies: number[]; records: MadeRecord[] } = { bodies: [], records: [] };
  let [count, bytes, pendingBytes, handedOverAt] = [0, 0, 0, performance.now()];
  for (const [index, body] of bodies.entries()) {
    for (const record of records(body)) {
      count += 1;
      if (count > recordsMax) return { kind: "tooMany", what: "records" };
      pendingBytes += record?.length ?? 0;
      if (bytes + pendingBytes > bytesMax) return { kind: "tooMany", what: "bytes_written" };
      made.bodies.push(index);
      made.records.push(record);
      if (pendingBytes < HAND_OVER_BYTES && performance.now() - handedOverAt < HAND_OVER_MS) continue;
      await ask("take", made);
      made = { bodies: [], records: [] };
      [bytes, pendingBytes, handedOverAt] = [bytes + pendingBytes, 0, performance.now()];
    }
    // Elements that make no record take their time as well.
    if (performance.now() - handedOverAt < HAND_OVER_MS) continue;
    await ask("take", made);
    made = { bodies: [], records: [] };
    [bytes, pendingBytes, handedOverAt] = [bytes + pendingBytes, 0, performance.now()];
  }
  return { kind: "made", ...made };
}

let last: { readonly text: string; readonly compiled: CompiledMapping } | undefined;

/** Compiles a mapping, unless it is that of the task before. */
function compiledOf(mapping: Mapping): CompiledMapping {
  const text = JSON.stringify(mapping);
  if (last?.text === text) return last.compiled;
  const compiled = compileMapping(mapping);
  if ("problems" in compiled) throw new RangeError("a mapping is checked when it is saved");
  last = { text, compiled };
  return compiled;
}

function parsedOf(json: Uint8Array): JSONValue | undefined {
  try {
    const parsed: JSONValue = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(json));
    return parsed;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

await serveTasks(mappingTasks);
