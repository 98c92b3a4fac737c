import type { ErrorDetail, FlowKey } from "@headwater/kernel";
import { createSandbox, type EndReason, type Sandbox, type SandboxOptions } from "@headwater/sandbox";
import type { MadeRecord } from "./compileMapping.ts";
import type { Mapping } from "./mapping.ts";
import type { MadeRecords, MappingTasks, MapRequest, MapResult } from "./mappingProcess.ts";

/** A record with the index of the body that it was made of. */
export interface Made {
  readonly body: number;
  readonly record: MadeRecord;
}

/** Outcome of a mapping: what it made, or why it could not. */
export type Mapped =
  | { readonly kind: "made"; readonly made: readonly Made[] }
  | Exclude<MapResult, { readonly kind: "made" }>
  /** The mapping passed a limit of its process, or ended it. */
  | { readonly kind: "ended"; readonly message: string };

/** Runs mappings of data jobs, which accounts wrote, in processes of their own. */
export interface Mapper {
  /** Returns what is wrong with a mapping, with pointers below it. @throws HeadwaterError 429 or 503 when too many wait. */
  check(flow: FlowKey, mapping: Mapping): Promise<readonly ErrorDetail[]>;
  /** Maps a body, or each element of a list of bodies. A record takes 1 s at most. @throws HeadwaterError as `check`. */
  map(flow: FlowKey, request: MapRequest): Promise<Mapped>;
  /** Ends all processes; what they were at ends. */
  close(): Promise<void>;
}

export type MapperOptions = Pick<SandboxOptions, "processes" | "onEnded">;

const RECORD_MS_MAX = 1_000;
/** Time of a request as a whole, on the clock. */
const TOTAL_MS_MAX = 60_000;
const MIB = 1024 * 1024;
const MEMORY_BYTES_MAX = 512 * MIB;

/** Creates a mapper whose processes start with their first work. One account never has all of them for itself. */
export function createMapper(options: MapperOptions = {}): Mapper {
  const sandbox = createSandbox<MappingTasks>({
    ...options,
    name: "mappings",
    what: "mappings",
    entry: new URL("./mappingProcess.ts", import.meta.url),
    memoryBytesMax: MEMORY_BYTES_MAX,
  });
  return new SandboxedMapper(sandbox);
}

class SandboxedMapper implements Mapper {
  readonly #sandbox: Sandbox<MappingTasks>;

  constructor(sandbox: Sandbox<MappingTasks>) {
    this.#sandbox = sandbox;
  }

  async check(flow: FlowKey, mapping: Mapping): Promise<readonly ErrorDetail[]> {
    const outcome = await this.#sandbox.run(flow, "check", mapping, { deadlineMs: RECORD_MS_MAX });
    if (outcome.kind === "done") return outcome.output;
    return [{ path: "", code: "bad_value", message: "The mapping cannot be processed." }];
  }

  async map(flow: FlowKey, request: MapRequest): Promise<Mapped> {
    const made: Made[] = [];
    const take = async ({ bodies, records }: MadeRecords) => {
      for (const [index, body] of bodies.entries()) made.push({ body, record: records[index] });
    };
    const outcome = await this.#sandbox.run(flow, "map", request, {
      deadlineMs: RECORD_MS_MAX,
      totalMs: TOTAL_MS_MAX,
      host: { take },
    });
    if (outcome.kind === "failed") return { kind: "ended", message: "The mapping cannot be run on this body." };
    if (outcome.kind === "ended") return { kind: "ended", message: messageOf(outcome.reason) };
    if (outcome.output.kind !== "made") return outcome.output;
    await take(outcome.output);
    return { kind: "made", made };
  }

  close(): Promise<void> {
    return this.#sandbox.close();
  }
}

function messageOf(reason: EndReason): string {
  switch (reason) {
    case "deadline":
      return `The mapping did not make a record within ${RECORD_MS_MAX / 1_000} s.`;
    case "memory":
      return "The mapping takes too much memory.";
    case "output":
      return "The mapping makes records that are too large.";
    case "crashed":
      return "The mapping cannot be run on this body.";
  }
}
