import { Readable } from "node:stream";
import { isDeepStrictEqual } from "node:util";
import { type AuthenticatedCall, type BodyWarning, type Call, mayUse, type Route } from "@headwater/http";
import { boundedDetails, HeadwaterError, pointerOf, type ReadOnlyMember } from "@headwater/kernel";

/** Lets each PUT read what the GET of its path shows, so that it can tell a record that is sent back from one that was changed. */
export function withStoredRecords(routes: readonly Route[]): Route[] {
  return routes.map((route) => {
    if (route.method !== "PUT") return route;
    const read = routes.find(({ method, path }) => method === "GET" && path === route.path);
    if (read === undefined) return route;
    return { ...route, run: (call) => route.run(call, () => readRecord(read, call)) };
  });
}

const OK = 200;

/** Returns a record as a GET shows it to the same caller; undefined for one that does not exist or may not be read. */
async function readRecord(route: Route, call: Call): Promise<unknown> {
  if (call.caller === undefined || !mayUse(call.caller, route.scope)) return undefined;
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

/** Members that are measured as a record is read: they differ from one read to the next. */
const MEASURED: ReadonlySet<PropertyKey | undefined> = new Set(["asOf", "stats"]);

/** Returns a warning for each read-only member of a body whose value is not the stored one: it is ignored. */
export async function readOnlyWarnings({
  readOnly,
  readRecord,
}: Pick<AuthenticatedCall<unknown, unknown, unknown>, "readOnly" | "readRecord">): Promise<BodyWarning[]> {
  if (readOnly.length === 0 || readRecord === undefined) return [];
  const record = await readRecord();
  const stored: unknown = record === undefined ? undefined : JSON.parse(JSON.stringify(record));
  const changed = readOnly.filter(
    ({ path, value }) => !MEASURED.has(path[0]) && !valuesAt(stored, path).some((one) => isSame(one, value)),
  );
  const warnings = changed.map(({ path }): BodyWarning => {
    const message = `${JSON.stringify(path.at(-1))} is read-only: the value is not the stored one, and was ignored.`;
    return { path: pointerOf(path), code: "read_only", message };
  });
  return boundedDetails(warnings);
}

/** Returns the stored values of a member. Lines may have been moved or removed: one of an array is compared with those of all its elements. */
function valuesAt(stored: unknown, path: ReadOnlyMember["path"]): unknown[] {
  let values = [stored];
  for (const step of path) {
    values = values.flatMap((value) => {
      if (Array.isArray(value)) return value;
      return typeof value === "object" && value !== null ? [Reflect.get(value, step)] : [undefined];
    });
  }
  return values;
}

/** Null stands for a member that is absent. */
function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one ?? null, other ?? null);
}
