import { withLists } from "@headwater/criteria";
import type { Session } from "@headwater/postgres/connection/session";
import { loadListsById } from "@headwater/records/lists/lists";
import { pinsOf } from "../criteria/knownAudiences.ts";
import type { StoredAudience } from "./postgres.ts";

/** Criteria as they were saved; a list that was renamed since stands under its new name. */
export async function criteriaView(
  session: Session,
  audiences: readonly Pick<StoredAudience, "account" | "criteria" | "lists">[],
): Promise<unknown[]> {
  const pins = audiences.map(pinsOf);
  const keys = audiences.flatMap(({ account }, index) =>
    [...(pins[index]?.values() ?? [])].map((id) => ({ account, id })),
  );
  const names = new Map((await loadListsById(session, keys)).map(({ id, name }) => [id, name]));
  return audiences.map(({ criteria }, index) => {
    const nameOf = (list: string | number) => {
      const name = typeof list === "string" ? names.get(pins[index]?.get(list) ?? 0) : undefined;
      return name?.toLowerCase() === String(list).toLowerCase() ? list : name;
    };
    const saved: unknown = JSON.parse(criteria);
    return withLists(saved, nameOf);
  });
}
