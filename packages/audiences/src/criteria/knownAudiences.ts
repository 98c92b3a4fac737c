import { type SavedAudience, withLists } from "@headwater/criteria";
import type { Session } from "@headwater/postgres/connection/session";
import { z } from "zod";
import { readAudienceKeys, readAudiencesReached } from "../audiences/audienceUses.ts";
import type { StoredAudience } from "../audiences/postgres.ts";

/** Keys of audiences and tables that are checked for the ones a misspelled name may have meant. */
export const SUGGESTED_MAX = 20_000;

const pinsShape = z.record(z.string(), z.number().int());

/** The ids of the lists that saved criteria name by name, as they were when the criteria were written. */
export function pinsOf({ lists }: Pick<StoredAudience, "lists">): ReadonlyMap<string, number> {
  return new Map(Object.entries(pinsShape.parse(JSON.parse(lists))));
}

/** Criteria of a saved audience, with every list by its id: a list that was renamed since is still meant. */
export function meantCriteria(audience: Pick<StoredAudience, "criteria" | "lists">): unknown {
  const pins = pinsOf(audience);
  const criteria: unknown = JSON.parse(audience.criteria);
  return withLists(criteria, (list) => (typeof list === "string" ? pins.get(list) : undefined));
}

/** Reads the audiences that criteria name and all that these refer to, each by its key and its id. */
export async function readAudiences(
  session: Session,
  account: number,
  named: readonly string[] | "all",
): Promise<Map<string, SavedAudience>> {
  const found =
    named === "all"
      ? (await readAudienceKeys(session, account, SUGGESTED_MAX)).map((one) => ({ ...one, criteria: undefined }))
      : (await readAudiencesReached(session, account, named)).map(toSaved);
  return new Map(found.flatMap((one) => [[one.key, one] as const, [one.id, one] as const]));
}

function toSaved(audience: StoredAudience): SavedAudience {
  const { id, key } = audience;
  return { id, key, criteria: meantCriteria(audience) };
}
