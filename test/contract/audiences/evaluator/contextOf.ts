import { type CriteriaContext, knownFields } from "@headwater/criteria";
import { AUDIENCES } from "./audiences.ts";
import { POSTAL_CODES } from "./evaluateCondition.ts";
import { versionAt, type World } from "./model.ts";
import { ATTRIBUTES } from "./randomWorld.ts";

/** Names that criteria of a world may use. */
export function contextOf(world: World): CriteriaContext {
  return {
    fields: knownFields({ attributes: Object.entries(ATTRIBUTES), identifiers: ["email", "customer_id"] }),
    lowerCaseIdentifiers: new Set(["email"]),
    clears: new Map(Object.entries(world.cleared ?? {}).map(([path, ats]) => [path, ats.map(versionAt)])),
    audiences: new Map(AUDIENCES.flatMap((one) => [[one.key, one] as const, [one.id, one] as const])),
    supplements: new Map(
      (world.tables ?? []).map(({ clearedAt = [], ...table }) => [
        table.key,
        { ...table, clears: clearedAt.map(versionAt) },
      ]),
    ),
    postalCodes: POSTAL_CODES,
    lists: world.lists.map(({ id, name, clearedAt = [] }) => ({ id, name, clears: clearedAt.map(versionAt) })),
  };
}
