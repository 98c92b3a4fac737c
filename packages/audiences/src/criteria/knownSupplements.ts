import type { SupplementReference } from "@headwater/criteria";
import type { Session } from "@headwater/postgres/connection/session";
import { loadSupplements, pageSupplements } from "@headwater/records/supplements/supplements";
import { readSupplementClearsAfter, readSupplementClearsBelow } from "@headwater/records/supplements/supplementTables";
import { SUGGESTED_MAX } from "./knownAudiences.ts";
import { versionAfter } from "./versionAfter.ts";

/** The table of coordinates that rules about postal codes need. */
export const POSTAL_CODES = "postal_codes";

export interface SupplementsRead {
  /** The account's number. */
  readonly account: number;
  readonly keys: readonly string[] | "all";
  /** Milliseconds since 1970. */
  readonly asOf: number | undefined;
  /** Milliseconds since 1970: the first moment of several up to `asOf`, of which every clear counts. */
  readonly since?: number | undefined;
}

/** Reads the tables that criteria name, with their clears; at a past moment also the last one before it. */
export async function readSupplements(
  session: Session,
  { account, keys, asOf, since = asOf }: SupplementsRead,
): Promise<Map<string, SupplementReference>> {
  if (keys !== "all" && keys.length === 0) return new Map();
  const tables =
    keys === "all"
      ? await pageSupplements(session, { account, direction: "asc", skip: 0, rowsMax: SUGGESTED_MAX })
      : await loadSupplements(
          session,
          keys.map((key) => ({ account, key })),
        );
  const earlier = since === undefined ? [] : await readSupplementClearsBelow(session, account, versionAfter(since));
  const later =
    since === asOf || since === undefined ? [] : await readSupplementClearsAfter(session, account, versionAfter(since));
  const clearsOf = Map.groupBy([...earlier, ...later], ({ supplement }) => supplement);
  return new Map(
    tables.map(({ id, key, contactObject: isLinked, clearedVersion }) => {
      const versions = [clearedVersion, ...(clearsOf.get(id) ?? []).map(({ version }) => version)];
      const clears = new Set(versions.filter((clear) => typeof clear === "string"));
      return [key, { id, key, isLinked, clears: [...clears] }];
    }),
  );
}
