import type { Ground } from "../harness/services.ts";
import type { ModelState } from "../model/state.ts";
import { fieldsOf } from "./clickhouse.ts";
import type { Differences } from "./differences.ts";
import type { CidOf } from "./postgres.ts";

/**
 * The latest version in the history is the present, for every contact that was never part of a merge: one that was shows
 * members of others, which their own rows show.
 */
export async function compareHistory(
  ground: Ground,
  state: ModelState,
  { differences, cidOf }: { readonly differences: Differences; readonly cidOf: CidOf },
): Promise<void> {
  const alone = state.contacts.all.filter(({ wasMerged }) => !wasMerged);
  const cids = new Set(alone.map(({ cid }) => cid));
  const isAlone = ({ contact }: { readonly contact: number }) => cids.has(cidOf.get(contact) ?? "");
  const fields = await ground.clickhouse.query<{ contact: number; field: string; kind: string; text: string }>(
    `SELECT contact, field, argMax(kind, version) AS kind, argMax(text, version) AS text FROM contact_fields_history FINAL
    WHERE account > 0 AND NOT match(field, 'channels[.].*[.](un)?subscribedAt') GROUP BY contact, field`,
  );
  differences.sameMaps(
    "field in history",
    new Map(
      fields
        .filter((row) => isAlone(row) && row.kind !== "removed")
        .map(({ contact, field, text }) => [`${cidOf.get(contact)} ${field}`, text]),
    ),
    new Map(alone.flatMap((one) => fieldsOf(one).map(([path, text]) => [`${one.cid} ${path}`, text]))),
  );
  const members = await ground.clickhouse.query<{ list: number; contact: number; present: number }>(
    `SELECT list, contact, argMax(present, version) AS present FROM memberships_history FINAL
    WHERE account > 0 GROUP BY list, contact`,
  );
  const lists = await ground.postgres.query<{ id: number; name: string }>({ text: "SELECT id, name FROM lists" });
  const nameOf = new Map(lists.map(({ id, name }) => [id, name]));
  differences.sameMaps(
    "membership in history",
    new Map(
      members
        .filter((row) => isAlone(row) && row.present === 1)
        .map(({ list, contact }) => [`${nameOf.get(list)}\n${cidOf.get(contact)}`, true]),
    ),
    new Map(
      [...state.memberships].flatMap(([key, { contact, present }]) =>
        present && cids.has(contact.cid) ? [[key, true]] : [],
      ),
    ),
  );
}
