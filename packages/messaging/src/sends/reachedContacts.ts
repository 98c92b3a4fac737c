import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session } from "@headwater/postgres/connection/session";

/** A message and a live contact that is to get it. */
export interface Reach {
  readonly message: string;
  readonly person: number;
}

const reachedStatement = {
  name: "sends_reached",
  text: `WITH asked AS (SELECT * FROM unnest($2::text[], $3::bigint[]) AS a (message, person)),
      numbers AS (SELECT message, person, person AS contact FROM asked
        UNION SELECT a.message, a.person, c.number FROM asked a JOIN contacts c ON c.account = $1 AND c.merged_into = a.person)
    SELECT n.message, n.person, s.contact FROM numbers n
      JOIN sends s ON s.account = $1 AND s.message = n.message AND s.contact = n.contact
    WHERE s.first_at IS NOT NULL AND s.kind = 'b'`,
};

/** Returns the numbers under which live contacts got, or may have got, messages: their own and those of contacts merged into them. */
export function readReached(
  session: Session,
  account: number,
  asked: readonly Reach[],
): Promise<(Reach & { readonly contact: number })[]> {
  if (asked.length === 0) return Promise.resolve([]);
  const messages = textArray(asked, ({ message }) => message);
  const people = plainArray(asked, ({ person }) => person);
  return session.query<Reach & { contact: number } & Record<string, unknown>>(reachedStatement, [
    account,
    messages,
    people,
  ]);
}
