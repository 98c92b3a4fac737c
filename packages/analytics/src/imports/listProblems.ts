import type { Account } from "@headwater/contracts";
import { listIdOf, listIdsByText } from "@headwater/criteria";
import type { ErrorDetail } from "@headwater/kernel";
import type { Session } from "@headwater/postgres/connection/session";
import { findNamedLists } from "@headwater/records/lists/namedLists";
import { z } from "zod";

const references = z.array(z.union([z.string(), z.number()])).optional();
const withLists = z.object({ lists: z.object({ addTo: references, removeFrom: references }) });

/**
 * Finds the lists that every row is to be put on, and that no import can make: an id that no list has, and in an account with
 * `strictLists` a name that none has. No list is one that rows are put on and taken off.
 */
export async function listProblems(
  given: object,
  { number: account, settings }: Pick<Account, "number" | "settings">,
  session: Session,
): Promise<ErrorDetail[]> {
  const read = withLists.safeParse(given);
  if (!read.success) return [];
  const { addTo = [], removeFrom = [] } = read.data.lists;
  const all = [...addTo, ...removeFrom].map(String);
  const ids = all.flatMap((reference) => listIdOf(reference) ?? []);
  const found = await findNamedLists(session, { account, names: all, ids });
  const known = listIdsByText(
    all.map((reference) => reference.toLowerCase()),
    found,
  );
  const unknown = addTo.map(String).flatMap((reference, place) => {
    if (known.has(reference.toLowerCase())) return [];
    if (listIdOf(reference) === undefined && !settings.strictLists) return [];
    return { path: `/lists/addTo/${place}`, code: "unknown_reference", message: "No list has this name or id." };
  });
  const meant = (reference: string | number) =>
    known.get(String(reference).toLowerCase()) ?? String(reference).toLowerCase();
  const added = new Set(addTo.map(meant));
  const twice = removeFrom.find((reference) => added.has(meant(reference)));
  if (twice === undefined) return unknown;
  const message = `${JSON.stringify(twice)} is in \`addTo\` and in \`removeFrom\`.`;
  return [...unknown, { path: "/lists", code: "bad_value", message }];
}
