import { timeOfVersion } from "@headwater/contracts";
import { newSuppressionId } from "@headwater/kernel";
import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { forgetSuppressed, suppress } from "../suppressions/suppressions.ts";

/** Records up to the version that name the identifier of this hash bring nobody back. */
export interface Tombstone {
  readonly hash: string;
  readonly version: string;
}

/** A contact that is to be erased. */
export interface ErasedContact {
  readonly account: number;
  readonly number: number;
  /** The cut-off: what was written up to it never brings the contact back. */
  readonly version: string;
  readonly identifiers: readonly { readonly name: string; readonly value: string }[];
  readonly tombstones: readonly Tombstone[];
  /** Addresses of its channels, in canonical form. */
  readonly addresses: readonly {
    readonly channel: string;
    readonly address: string;
    readonly isUnsubscribed: boolean;
  }[];
}

/** An erasure as it is remembered. */
export interface Erasure {
  readonly account: number;
  readonly version: string;
  /** Numbers of the contact and of all that were merged into it. */
  readonly numbers: readonly number[];
  readonly cids: readonly string[];
  readonly orders: readonly string[];
  /** Supplement and id of each of its records. */
  readonly records: readonly (readonly [number, string])[];
}

/** An identifier that is not to bring anybody back. */
export interface ErasedIdentifier extends Tombstone {
  readonly account: number;
}

const NUMBERS = "$2::bigint[]";
const familyStatement = {
  name: "erasures_family",
  text: "SELECT number, cid FROM contacts WHERE account = $1 AND (number = $2 OR merged_into = $2) ORDER BY number FOR UPDATE",
};
const identifiersStatement = {
  name: "erasures_identifiers",
  text: `DELETE FROM contact_identifiers i USING unnest($2::text[], $3::text[]) AS r (name, value)
    WHERE i.account = $1 AND i.name = r.name AND i.value = r.value`,
};
const ordersStatement = {
  name: "erasures_orders",
  text: `DELETE FROM orders WHERE account = $1 AND contact = ANY (${NUMBERS}) RETURNING order_id AS "orderId"`,
};
/** A record keeps its row, empty: a write of before that comes again does not make it again. */
const recordsStatement = {
  name: "erasures_records",
  text: `UPDATE supplement_records SET contact = NULL, doc = '{"v":[],"members":[]}', version = $3, deleted_version = $3
    WHERE account = $1 AND contact = ANY (${NUMBERS}) RETURNING supplement, id`,
};
const plainDeletes = [
  {
    name: "erasures_memberships",
    text: `DELETE FROM memberships WHERE account = $1 AND contact = ANY (${NUMBERS})`,
  },
  {
    name: "erasures_cleared_members",
    text: `DELETE FROM cleared_members WHERE account = $1 AND contact = ANY (${NUMBERS})`,
  },
  { name: "erasures_carts", text: `DELETE FROM carts WHERE account = $1 AND contact = ANY (${NUMBERS})` },
  {
    name: "erasures_merges",
    text: `DELETE FROM merges WHERE account = $1 AND (survivor = ANY (${NUMBERS}) OR merged = ANY (${NUMBERS}))`,
  },
  /**
   * The rows stay, so that they add up to the audience. What was not sent never is, and what was sent counts no more, as in ClickHouse, which
   * forgets the activity. One that is on its way keeps its state, for its sender, and becomes `skipped` with its outcome.
   */
  {
    name: "erasures_sends",
    text: `UPDATE sends SET address = NULL, text = NULL,
        reason = CASE WHEN state = 'skipped' THEN reason ELSE 'erased' END,
        state = CASE WHEN state = 'sending' THEN state ELSE 'skipped' END
      WHERE account = $1 AND contact = ANY (${NUMBERS})`,
  },
  {
    name: "erasures_triggered_events",
    text: `DELETE FROM triggered_events WHERE account = $1 AND contact = ANY (${NUMBERS})`,
  },
  {
    name: "erasures_template_entry_questions",
    text: `DELETE FROM template_entry_questions WHERE account = $1 AND contact = ANY (${NUMBERS})`,
  },
  {
    name: "erasures_template_entries",
    text: `DELETE FROM template_entries WHERE account = $1 AND contact = ANY (${NUMBERS})`,
  },
  {
    name: "erasures_send_wants",
    text: `DELETE FROM send_wants w WHERE account = $1
      AND id IN (SELECT want FROM sends WHERE account = $1 AND contact = ANY (${NUMBERS}) AND want IS NOT NULL)
      AND NOT EXISTS (SELECT FROM sends s WHERE s.account = $1 AND s.want = w.id AND s.state IN ('pending', 'sending', 'deferred'))`,
  },
  /** Runs end and are forgotten, before the contact itself is: none begins for one that is not there. */
  {
    name: "erasures_run_steps",
    text: `DELETE FROM orchestration_steps WHERE account = $1
      AND run IN (SELECT id FROM orchestration_runs WHERE account = $1 AND contact = ANY (${NUMBERS}))`,
  },
  {
    name: "erasures_run_goals",
    text: `DELETE FROM orchestration_goals WHERE account = $1
      AND run IN (SELECT id FROM orchestration_runs WHERE account = $1 AND contact = ANY (${NUMBERS}))`,
  },
  {
    name: "erasures_orchestration_sends",
    text: `DELETE FROM orchestration_sends WHERE account = $1 AND contact = ANY (${NUMBERS})`,
  },
  {
    name: "erasures_orchestration_questions",
    text: `DELETE FROM orchestration_questions WHERE account = $1 AND contact = ANY (${NUMBERS})`,
  },
  {
    name: "erasures_orchestration_tasks",
    text: `DELETE FROM orchestration_tasks WHERE account = $1 AND contact = ANY (${NUMBERS})`,
  },
  {
    name: "erasures_orchestration_orders",
    text: `DELETE FROM orchestration_orders WHERE account = $1 AND contact = ANY (${NUMBERS})`,
  },
  {
    name: "erasures_orchestration_carts",
    text: `DELETE FROM orchestration_carts WHERE account = $1 AND contact = ANY (${NUMBERS})`,
  },
  {
    name: "erasures_orchestration_runs",
    text: `DELETE FROM orchestration_runs WHERE account = $1 AND contact = ANY (${NUMBERS})`,
  },
  {
    name: "erasures_orchestration_entries",
    text: `DELETE FROM orchestration_entries WHERE account = $1 AND contact = ANY (${NUMBERS})`,
  },
  { name: "erasures_contacts", text: `DELETE FROM contacts WHERE account = $1 AND number = ANY (${NUMBERS})` },
] as const;
const eventsStatement = {
  name: "erasures_webhook_events",
  text: `WITH gone AS (DELETE FROM webhook_events WHERE account = $1 AND contact = ANY ($2::text[]) RETURNING id)
    DELETE FROM webhook_deliveries WHERE account = $1 AND event IN (SELECT id FROM gone)`,
};
const tombstonesStatement = {
  name: "erasures_tombstones",
  text: `INSERT INTO erased_identifiers AS e (account, hash, version) SELECT $1, hash, max(version::text)::uuid
    FROM unnest($2::text[], $3::uuid[]) AS r (hash, version) GROUP BY hash ORDER BY hash
    ON CONFLICT (account, hash) DO UPDATE SET version = GREATEST(e.version, EXCLUDED.version)`,
};
const insertStatement = {
  name: "erasures_insert",
  text: "INSERT INTO erasures (account, version, numbers, cids, orders, records) VALUES ($1, $2, $3, $4, $5, $6)",
};
const readStatement = {
  name: "erasures_read",
  text: "SELECT account, version, numbers::text[] AS numbers, cids, orders, records FROM erasures WHERE account = $1 AND version = $2",
};
const forgetStatement = {
  name: "erasures_forget",
  text: "UPDATE erasures SET orders = '[]', records = '[]' WHERE account = $1 AND version = $2",
};
const aboveStatement = {
  name: "erasures_above",
  text: "SELECT account, hash, version FROM erased_identifiers WHERE version >= $1",
};

/** Deletes all that Postgres knows of a contact by its number, and remembers how it was found, as hashes. */
export async function eraseContact(transaction: Transaction, erased: ErasedContact): Promise<void> {
  const { account, number, version, identifiers, tombstones } = erased;
  const family = await transaction.query<{ number: number; cid: string }>(familyStatement, [account, number]);
  const numbers = family.map((row) => row.number);
  const names = textArray(identifiers, ({ name }) => name);
  const values = textArray(identifiers, ({ value }) => value);
  await transaction.execute(identifiersStatement, [account, names, values]);
  const { orders, records } = await deleteRowsOf(transaction, { account, numbers, version });
  await insertTombstones(transaction, account, tombstones);
  await keepSuppressed(transaction, erased);
  const cids = textArray(family, ({ cid }) => cid);
  await transaction.execute(eventsStatement, [account, cids]);
  const remembered = [plainArray(numbers, (one) => one), cids, JSON.stringify(orders), JSON.stringify(records)];
  await transaction.execute(insertStatement, [account, version, ...remembered]);
}

/** Keeps addresses that had unsubscribed from promotional sends, also when somebody imports them again. */
async function keepSuppressed(transaction: Transaction, { account, version, addresses }: ErasedContact): Promise<void> {
  const nowMs = timeOfVersion(version);
  for (const { channel, address: value } of addresses.filter(({ isUnsubscribed }) => isUnsubscribed)) {
    const target = { kind: "address", value } as const;
    const id = newSuppressionId();
    await suppress(transaction, { account, channel, id, target, reason: "erased-unsubscribed", nowMs });
  }
  await forgetSuppressed(transaction, account, addresses);
}

export async function insertTombstones(
  transaction: Transaction,
  account: number,
  tombstones: readonly Tombstone[],
): Promise<void> {
  const hashes = textArray(tombstones, ({ hash }) => hash);
  await transaction.execute(tombstonesStatement, [account, hashes, plainArray(tombstones, ({ version }) => version)]);
}

/** Rows that a batch wrote while the contact was being erased go as well. */
export async function deleteRowsOf(
  transaction: Transaction,
  { account, numbers, version }: Pick<Erasure, "account" | "numbers" | "version">,
): Promise<Pick<Erasure, "orders" | "records">> {
  const keys = [account, plainArray(numbers, (number) => number)];
  const orders = await transaction.query<{ orderId: string }>(ordersStatement, keys);
  const records = await transaction.query<{ supplement: number; id: string }>(recordsStatement, [...keys, version]);
  for (const statement of plainDeletes) await transaction.execute(statement, keys);
  return {
    orders: orders.map(({ orderId }) => orderId),
    records: records.map(({ supplement, id }) => [supplement, id] as const),
  };
}

export async function readErasure(session: Session, account: number, version: string): Promise<Erasure | undefined> {
  const [row] = await session.query<{
    account: number;
    version: string;
    numbers: string[];
    cids: string[];
    orders: string;
    records: string;
  }>(readStatement, [account, version]);
  if (row === undefined) return undefined;
  const { numbers, orders, records, ...rest } = row;
  return { ...rest, numbers: numbers.map(Number), orders: JSON.parse(orders), records: JSON.parse(records) };
}

/** Keeps of an erasure that is done the numbers that were its contact's, and no key that others gave. */
export async function forgetKeysOf(transaction: Transaction, { account, version }: Erasure): Promise<void> {
  await transaction.execute(forgetStatement, [account, version]);
}

/** Identifiers whose cut-off is at or above a version: records of before may be among those that come. */
export function loadErasedFrom(session: Session, version: string): Promise<ErasedIdentifier[]> {
  return session.query<{ account: number; hash: string; version: string }>(aboveStatement, [version]);
}

const lastStatement = {
  name: "erasures_last",
  text: "SELECT max(version::text) AS version FROM erasures WHERE account = $1",
};
const sinceStatement = {
  name: "erasures_since",
  text: `SELECT version::text AS version, numbers::text[] AS numbers FROM erasures
    WHERE account = $1 AND version::text > $2 ORDER BY version::text`,
};

/** The version of the account's last erasure; "" without any. */
export async function lastErasure(session: Session, account: number): Promise<string> {
  const [row] = await session.query<{ version: string | null }>(lastStatement, [account]);
  return row?.version ?? "";
}

/** The numbers of all who were erased after a version, and the version of the last of these erasures. */
export async function erasedSince(
  session: Session,
  account: number,
  version: string,
): Promise<{ readonly numbers: readonly number[]; readonly last: string | undefined }> {
  const rows = await session.query<{ version: string; numbers: readonly string[] }>(sinceStatement, [account, version]);
  return { numbers: rows.flatMap(({ numbers }) => numbers.map(Number)), last: rows.at(-1)?.version };
}

const cidsStatement = {
  name: "erasures_cids",
  text: "SELECT version, cids FROM erasures WHERE account = $1 ORDER BY version",
};

/** The cIDs of all who were erased, with the version of their erasure. */
export function erasedCids(
  session: Session,
  account: number,
): Promise<{ readonly version: string; readonly cids: readonly string[] }[]> {
  return session.query(cidsStatement, [account]);
}
