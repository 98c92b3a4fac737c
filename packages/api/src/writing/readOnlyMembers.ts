import { Readable } from "node:stream";
import { type Call, mayUse, type ReadResource, type Route } from "@headwater/http";
import { HeadwaterError } from "@headwater/kernel";
import type { Session } from "@headwater/postgres/connection/session";
import { z } from "zod";
import { cameBefore } from "../idempotency/runOnce.ts";

/**
 * Lets each POST and PUT know how what it writes is read, so that it can tell read-only members from unknown ones. A PUT, and a POST to the
 * path of one record, also reads the stored record, to tell members that are sent back from those that were changed.
 */
export function withStoredRecords(routes: readonly Route[], { postgres }: { readonly postgres: Session }): Route[] {
  const reads = new Map(routes.filter(({ method }) => method === "GET").map((route) => [route.path, route]));
  return routes.map((route) => {
    const read = readOf(route, reads);
    if (read === undefined) return route;
    const { shape, record } = read;
    return {
      ...route,
      run(call) {
        const canRead = record !== undefined && call.caller !== undefined && mayUse(call.caller, record.scope);
        if (!canRead) return route.run(call, { shape });
        // A repeat gets the first answer, with its warnings.
        const stored = async () => ((await cameBefore(postgres, route, call)) ? undefined : readRecord(record, call));
        return route.run(call, { shape, record: stored });
      },
    };
  });
}

interface Read extends Pick<ReadResource, "shape"> {
  /** Reads the record that the call writes. */
  readonly record?: Route;
}

function readOf({ method, path }: Route, reads: ReadonlyMap<string, Route>): Read | undefined {
  if (method !== "POST" && method !== "PUT") return undefined;
  const same = reads.get(path);
  const shape = same && answerShape(same);
  const element = shape && elementOf(shape);
  if (shape !== undefined && element === undefined) return { shape, ...(same && { record: same }) };
  if (method === "PUT") return undefined;
  const [ofOne] = [...reads.values()].filter((read) => parentOf(read.path) === path);
  const one = (ofOne && answerShape(ofOne)) ?? element;
  // Some are created by the array.
  return one === undefined ? undefined : { shape: z.union([one, z.array(one)]) };
}

const LAST_PARAMETER = /\/\{\w+\}$/;

/** Returns the path that a record's path extends by its id or key; undefined for other paths. */
function parentOf(path: string): string | undefined {
  return LAST_PARAMETER.test(path) ? path.replace(LAST_PARAMETER, "") : undefined;
}

function answerShape({ answers }: Route): z.ZodType | undefined {
  const schema = answers[OK]?.schema;
  return schema instanceof z.ZodType ? schema : undefined;
}

/** Returns the shape of the records of a list's page; undefined for what is not a list. */
function elementOf(shape: z.ZodType): z.ZodType | undefined {
  const data: unknown = shape instanceof z.ZodObject ? shape.shape.data : undefined;
  const element: unknown = data instanceof z.ZodArray ? data.element : undefined;
  return element instanceof z.ZodType ? element : undefined;
}

const OK = 200;

/** Returns a record as a GET shows it to the same caller; undefined for one that does not exist. */
export async function readRecord(route: Route, call: Call): Promise<unknown> {
  const { requestId, receivedAtMs, caller, params, traceparent, clientAddress } = call;
  const reading: Call = {
    ...{ requestId, receivedAtMs, caller, params, traceparent, clientAddress },
    ...{ method: route.method, query: {}, bytes: Buffer.alloc(0), stream: Readable.from([]), mediaType: "" },
    header: () => undefined,
    admit: (found) => call.admit(found),
    get signal() {
      return call.signal;
    },
  };
  try {
    const { status, body } = await route.run(reading);
    return status === OK ? body : undefined;
  } catch (error) {
    // The write is refused for the same reason, such as an unknown id.
    if (error instanceof HeadwaterError) return undefined;
    throw error;
  }
}
