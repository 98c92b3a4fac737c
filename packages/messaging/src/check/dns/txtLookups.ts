import { Resolver } from "node:dns/promises";

/** Finds the TXT records of a name, each as one text; none where there is no such name, undefined where DNS does not answer. */
export type ResolveTxt = (name: string) => Promise<readonly string[] | undefined>;

/** DNS queries of one check: each name once, and no longer than the check may take. */
export interface TxtLookups {
  /** Returns undefined where DNS did not answer, or not in time. */
  records(name: string): Promise<readonly string[] | undefined>;
}

const TRY_MS = 2_000;
const TRIES = 2;
const NAMES_MAX = 500;
const NOTHING = new Set(["ENOTFOUND", "ENODATA"]);

/** Creates lookups by the system's name servers. */
export function createTxtResolver(): ResolveTxt {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  return async (name) => {
    try {
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(""));
    } catch (error) {
      const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
      if (typeof code !== "string") throw error;
      return NOTHING.has(code) ? [] : undefined;
    }
  };
}

/** @param signal ends the check: what was not answered by then is not answered. */
export function createTxtLookups(resolve: ResolveTxt, signal: AbortSignal): TxtLookups {
  const known = new Map<string, Promise<readonly string[] | undefined>>();
  const over = new Promise<undefined>((done) => {
    if (signal.aborted) done(undefined);
    signal.addEventListener("abort", () => done(undefined), { once: true });
  });
  return {
    records(name) {
      const before = known.get(name);
      if (before !== undefined) return before;
      if (known.size >= NAMES_MAX || signal.aborted) return Promise.resolve(undefined);
      const asked = Promise.race([resolve(name), over]);
      known.set(name, asked);
      return asked;
    },
  };
}

/** Returns the members of a record such as `v=DKIM1; k=rsa; p=…`, by their names in lower case. The first of a name counts. */
export function tagsOf(record: string): ReadonlyMap<string, string> {
  const tags = new Map<string, string>();
  for (const part of record.split(";")) {
    const equals = part.indexOf("=");
    const name = part.slice(0, equals).trim().toLowerCase();
    if (equals > 0 && !tags.has(name)) tags.set(name, part.slice(equals + 1).trim());
  }
  return tags;
}
