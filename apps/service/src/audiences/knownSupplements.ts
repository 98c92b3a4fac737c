import type { SupplementReference } from "@headwater/audience";
import type { Session } from "@headwater/stores/postgres";
import { loadSupplements, pageSupplements, readSupplementClearsBelow } from "@headwater/stores/supplements";
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
}

/** Reads the tables that criteria name, with their clears; at a past moment also the last one before it. */
export async function readSupplements(
  session: Session,
  { account, keys, asOf }: SupplementsRead,
): Promise<Map<string, SupplementReference>> {
  if (keys !== "all" && keys.length === 0) return new Map();
  const tables =
    keys === "all"
      ? await pageSupplements(session, { account, direction: "asc", skip: 0, rowsMax: SUGGESTED_MAX })
      : await loadSupplements(
          session,
          keys.map((key) => ({ account, key })),
        );
  const earlier = asOf === undefined ? [] : await readSupplementClearsBelow(session, account, versionAfter(asOf));
  const clearOf = new Map(earlier.map(({ supplement, version }) => [supplement, version]));
  return new Map(
    tables.map(({ id, key, contactObject: isLinked, clearedVersion }) => {
      const clears = [clearedVersion, clearOf.get(id)].filter((clear) => typeof clear === "string");
      return [key, { id, key, isLinked, clears }];
    }),
  );
}
