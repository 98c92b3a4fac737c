import { listIdOf } from "@headwater/audience";
import type { Account } from "@headwater/contracts";
import type { ErrorDetail } from "@headwater/kernel";
import { findNamedLists } from "@headwater/stores/lists";
import type { Session } from "@headwater/stores/postgres";
import { z } from "zod";

const withLists = z.object({ lists: z.object({ addTo: z.array(z.union([z.string(), z.number()])) }) });

/**
 * Finds the lists that every row is to be put on, and that no import can make: an id that no list has, and in an account with
 * `strictLists` a name that none has.
 */
export async function listProblems(
  given: object,
  { number: account, settings }: Pick<Account, "number" | "settings">,
  session: Session,
): Promise<ErrorDetail[]> {
  const read = withLists.safeParse(given);
  if (!read.success) return [];
  const { addTo } = read.data.lists;
  const wanted = addTo.map((one) => ({ name: String(one), id: listIdOf(one) }));
  const names = wanted.map(({ name }) => name);
  const found = await findNamedLists(session, { account, names, ids: wanted.flatMap(({ id }) => id ?? []) });
  const known = new Set(found.flatMap(({ id, name }) => [id, name.toLowerCase()]));
  return wanted.flatMap(({ name, id }, place) => {
    if (known.has(name.toLowerCase()) || (id !== undefined && known.has(id))) return [];
    if (id === undefined && !settings.strictLists) return [];
    return { path: `/lists/addTo/${place}`, code: "unknown_reference", message: "No list has this name or id." };
  });
}
