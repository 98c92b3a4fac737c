import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import { createConditions } from "@headwater/postgres/connection/conditions";
import { deleteOlder } from "@headwater/postgres/connection/oldRows";
import type { Session } from "@headwater/postgres/connection/session";
import { SEND_COLUMNS, type SendKey, type SendState, type StoredSend } from "./sendRow.ts";

const keyStatement = {
  name: "sends_read",
  text: `SELECT ${SEND_COLUMNS} FROM sends s WHERE s.account = $1 AND s.message = $2 AND s.contact = $3 AND s.n = $4`,
};

/** Returns one send, also a test's; undefined once its row is gone. */
export async function readSend(session: Session, key: SendKey): Promise<StoredSend | undefined> {
  const { account, message, contact, n } = key;
  const [row] = await session.query<StoredSend>(keyStatement, [account, message, contact, n]);
  return row;
}

const recentStatement = {
  name: "sends_recent",
  text: `SELECT count(*)::int AS sends FROM sends WHERE account = $1 AND message > $2 AND message < $3 AND created_at >= $4`,
};

/** Messages of an account by how their ids begin. */
export interface MessagesByPrefix {
  readonly account: number;
  /** A text that ends in a colon. */
  readonly prefix: string;
}

/** Counts sends of these messages that were stored from an instant on. */
export async function countRecentSends(
  session: Session,
  { account, prefix }: MessagesByPrefix,
  sinceMs: number,
): Promise<number> {
  const behind = `${prefix.slice(0, -1)};`;
  const [row] = await session.query<{ sends: number }>(recentStatement, [account, prefix, behind, sinceMs]);
  return row?.sends ?? 0;
}

/** Sends of one message, tests left out. */
export interface SendFilters {
  readonly account: number;
  /** Id of a batch message or template; days and hours of a template are among them. */
  readonly message: string;
  readonly state?: SendState;
  readonly reason?: string;
  /** Numbers of contacts. */
  readonly contacts?: readonly number[];
}

/** A send as lists have it. */
export interface ListedSend extends StoredSend {
  /** cID of the contact that its own was merged into; null while it is itself. */
  readonly survivor: string | null;
}

export interface SendsPage extends SendFilters {
  readonly direction: "asc" | "desc";
  /** The last one of the page before. */
  readonly after?: Pick<SendKey, "message" | "contact" | "n">;
  readonly skip: number;
  readonly rowsMax: number;
}

const SURVIVOR = `(SELECT live.cid FROM contacts own JOIN contacts live ON live.account = own.account AND live.number = own.merged_into
  WHERE own.account = s.account AND own.number = s.contact) AS survivor`;

/** Lists in order of (message, contact, n). */
export function pageSends(session: Session, page: SendsPage): Promise<ListedSend[]> {
  const where = filters(page);
  const { direction, after, skip, rowsMax } = page;
  if (after !== undefined) {
    const last = `(${where.bind(after.message)}, ${where.bind(after.contact)}, ${where.bind(after.n)})`;
    where.add(`(s.message, s.contact, s.n) ${direction === "asc" ? ">" : "<"} ${last}`);
  }
  const way = direction === "asc" ? "ASC" : "DESC";
  const limits = `LIMIT ${where.bind(rowsMax)} OFFSET ${where.bind(skip)}`;
  const order = `s.message ${way}, s.contact ${way}, s.n ${way}`;
  return session.query(
    { text: `SELECT ${SEND_COLUMNS}, ${SURVIVOR} FROM sends s WHERE ${where.text()} ORDER BY ${order} ${limits}` },
    where.values,
  );
}

export async function countSends(session: Session, page: SendFilters): Promise<number> {
  const where = filters(page);
  const text = `SELECT count(*) AS count FROM sends s WHERE ${where.text()}`;
  const [row] = await session.query<{ count: number }>({ text }, where.values);
  return row?.count ?? 0;
}

/** Sends of a message in one state, skipped ones by their reason. */
export interface SendCount {
  readonly state: SendState;
  /** Null but for `skipped`. */
  readonly reason: string | null;
  readonly count: number;
}

const SKIP_REASON = "CASE WHEN s.state = 'skipped' THEN s.reason END";

/** Counts the sends of a message by state: what `delivery` adds up. */
export function countSendStates(session: Session, message: SendFilters): Promise<SendCount[]> {
  const where = filters(message);
  const text = `SELECT s.state, ${SKIP_REASON} AS reason, count(*) AS count FROM sends s WHERE ${where.text()} GROUP BY 1, 2 ORDER BY 1, 2`;
  return session.query({ text }, where.values);
}

const countEachStatement = {
  name: "sends_count_each",
  text: `SELECT asked.message, c.state, c.reason, c.count FROM unnest($2::text[]) AS asked (message),
    LATERAL (SELECT s.state, ${SKIP_REASON} AS reason, count(*) AS count FROM sends s
      WHERE s.account = $1 AND s.message = asked.message AND s.kind <> 't' GROUP BY 1, 2) AS c
    ORDER BY c.state, c.reason`,
};

/** Counts the sends of several batch messages, or days and hours of templates, by state. @returns counts by message; none for one without sends. */
export async function countSendStatesOfEach(
  session: Session,
  account: number,
  messages: readonly string[],
): Promise<ReadonlyMap<string, readonly SendCount[]>> {
  if (messages.length === 0) return new Map();
  const values = [account, textArray(messages, (message) => message)];
  const rows = await session.query<SendCount & { message: string }>(countEachStatement, values);
  return Map.groupBy(rows, ({ message }) => message);
}

/** `message:` and `message;` bound the ids that begin with the message's own and a colon. */
function filters({ account, message, state, reason, contacts }: SendFilters) {
  const where = createConditions();
  where.add(`s.account = ${where.bind(account)}`);
  const id = where.bind(message);
  where.add(`(s.message = ${id} OR (s.message > ${id} || ':' AND s.message < ${id} || ';'))`);
  where.add("s.kind <> 't'");
  if (state !== undefined) where.add(`s.state = ${where.bind(state)}`);
  if (reason !== undefined) where.add(`s.reason = ${where.bind(reason)}`);
  if (contacts !== undefined) {
    where.add(`s.contact = ANY (${where.bind(plainArray(contacts, (contact) => contact))}::bigint[])`);
  }
  return where;
}

const countedStatement = {
  name: "sends_counted_of_people",
  text: `WITH numbers AS (SELECT person, person AS contact FROM unnest($2::bigint[]) AS p (person)
        UNION ALL SELECT c.merged_into, c.number FROM contacts c WHERE c.account = $1 AND c.merged_into = ANY ($2::bigint[]))
    SELECT n.person, s.channel, s.intended_at AS "intendedAt" FROM numbers n JOIN sends s ON s.account = $1 AND s.contact = n.contact
    WHERE s.intended_at > $3 AND s.classification = 'promotional' AND s.kind <> 't' AND s.state IN ('sending', 'sent', 'unknown')
      AND s.reason IS DISTINCT FROM 'bounced'`,
};

/** A send that caps count. */
export interface CountedSend {
  /** Number of a live contact, whichever of its numbers got the send. */
  readonly person: number;
  readonly channel: string;
  readonly intendedAt: number;
}

/** Promotional sends of live contacts, and of contacts merged into them, that were or may have been handed over after a time: caps count them. What its server refused was not. */
export function readCountedSends(
  session: Session,
  { account, people, after }: { readonly account: number; readonly people: readonly number[]; readonly after: number },
): Promise<CountedSend[]> {
  if (people.length === 0) return Promise.resolve([]);
  const values = [account, plainArray(people, (person) => person), after];
  return session.query<CountedSend>(countedStatement, values);
}

/** Deletes sends that ended before a time. @returns how many. */
export function deleteEndedSends(session: Session, before: number): Promise<number> {
  const unless = "state IN ('pending', 'sending', 'deferred')";
  return deleteOlder(session, { table: "sends", column: "at", unless }, before);
}
