import {
  type Account,
  type AttributeRule,
  type AttributeRules,
  type AttributeType,
  type AttributeValidators,
  attributeType,
  attributeValidators,
} from "@headwater/contracts";
import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import { createResourceTable, type ResourceTable, type RowOf } from "@headwater/postgres/connection/resourceTable";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { lockNames } from "../lists/lists.ts";

export interface AttributeKey {
  readonly account: number;
  readonly key: string;
}

/** An account's declaration of an attribute. */
export interface AttributeDefinition extends AttributeKey {
  /** `auto`: it came up with a write, and the value is kept as it came. */
  readonly type: AttributeType;
  readonly name: string | null;
  readonly indexed: boolean;
  readonly unique: boolean;
  readonly validators: AttributeValidators | null;
  readonly maxItems: number | null;
  readonly updateUnauthenticated: boolean;
  readonly retainOnDestroy: string | null;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

const ensureStatement = {
  name: "attributes_ensure",
  text: `INSERT INTO attribute_definitions (account, key, created_at)
    SELECT account, key, $3 FROM unnest($1::int[], $2::text[]) AS r (account, key)
    WHERE NOT EXISTS (SELECT FROM attribute_definitions d WHERE d.account = r.account AND d.key = r.key)
    ORDER BY account, key ON CONFLICT DO NOTHING`,
};

/** Defines missing ones as `auto`. It waits for who defines one of them at the same time. @param createdAt milliseconds since 1970. @returns how many were made. */
export async function ensureAttributes(
  session: Session,
  keys: readonly AttributeKey[],
  createdAt: number,
): Promise<number> {
  if (keys.length === 0) return 0;
  const values = [plainArray(keys, (row) => row.account), textArray(keys, (row) => row.key), createdAt];
  return session.execute(ensureStatement, values);
}

const COLUMNS = `account, key, type, name, indexed, is_unique AS "unique", validators, max_items AS "maxItems",
  update_unauthenticated AS "updateUnauthenticated", retain_on_destroy AS "retainOnDestroy", created_at AS "createdAt"`;
const loadStatement = {
  name: "attributes_load",
  text: "SELECT account, key, type FROM attribute_definitions WHERE account = $1 ORDER BY key",
};
const rulesStatement = {
  name: "attributes_rules",
  text: `SELECT ${COLUMNS} FROM attribute_definitions WHERE account = $1 AND type <> 'auto'`,
};
const allRulesStatement = {
  name: "attributes_all_rules",
  text: `SELECT ${COLUMNS} FROM attribute_definitions WHERE account = $1`,
};
const retainedStatement = {
  name: "attributes_retained",
  text: `SELECT ${COLUMNS} FROM attribute_definitions WHERE account = $1 AND retain_on_destroy IS NOT NULL ORDER BY key`,
};
interface Row extends Omit<AttributeDefinition, "type" | "validators"> {
  readonly type: string;
  readonly validators: string | null;
}

/** Names of all of them, with their types. */
export function loadAttributes(
  session: Session,
  account: number,
): Promise<(AttributeKey & { readonly type: string })[]> {
  return session.query(loadStatement, [account]);
}

/**
 * Loads the rules of an account's attributes, for folds and views: the declared ones; with `strictAttributes` all that are defined, for
 * nothing else is accepted. Undefined when there are none.
 */
export async function loadAttributeRules(
  session: Session,
  { number, settings }: Pick<Account, "number" | "settings">,
): Promise<AttributeRules | undefined> {
  const rows = await session.query<Row>(settings.strictAttributes ? allRulesStatement : rulesStatement, [number]);
  return rows.length === 0 ? undefined : new Map(rows.map((row) => [row.key, toRule(toDefinition(row))]));
}

/** The definition as folds use it. */
export function toRule({ type, validators, maxItems }: AttributeDefinition): AttributeRule {
  return { type, ...(validators && { validators }), ...(maxItems !== null && { maxItems }) };
}

/** Definitions of which something stays when a contact is erased. */
export async function readRetained(session: Session, account: number): Promise<AttributeDefinition[]> {
  return (await session.query<Row>(retainedStatement, [account])).map(toDefinition);
}

/** Reads a definition. */
export async function readAttribute(session: Session, name: AttributeKey): Promise<AttributeDefinition | undefined> {
  const row = await attributeTable.read(session, name);
  return row && toDefinition(row);
}

export function toDefinition({ type, validators, ...row }: Row): AttributeDefinition {
  const read = validators === null ? null : attributeValidators.parse(JSON.parse(validators));
  return { ...row, type: attributeType.parse(type), validators: read };
}

/** Statements of definitions, which note no change. */
export const attributeTable = createResourceTable({
  name: "attribute_definitions",
  key: "key",
  members: {
    type: "text",
    name: "text | null",
    indexed: "boolean",
    unique: "boolean",
    /** JSON text. */
    validators: "text | null",
    maxItems: "integer | null",
    updateUnauthenticated: "boolean",
    retainOnDestroy: "text | null",
  },
  // The key stands for a name that was not given.
  derived: { label: "text" },
  columns: { unique: "is_unique", label: "COALESCE(name, key)", updatedAt: "modified_at" },
});

export type AttributeRow = RowOf<typeof attributeTable>;
export type AttributeMembers = Omit<AttributeRow, "account" | "key" | "label" | "createdAt" | "updatedAt">;

/** Definitions in order of key, or of (name, key), those that came up with a write among them. */
export const attributes: ResourceTable<AttributeRow, AttributeMembers> = {
  ...attributeTable,
  /** Holds the account's names to the end of the transaction, so that no list takes the key. */
  async lock(transaction, name) {
    const [, row] = await Promise.all([lockNames(transaction, name.account), attributeTable.read(transaction, name)]);
    return row;
  },
  async insert(transaction, name, members, nowMs) {
    await noteAttributeChange(transaction, name.account);
    return attributeTable.insert(transaction, name, members, nowMs);
  },
  async update(transaction, name, members, nowMs) {
    await noteAttributeChange(transaction, name.account);
    await attributeTable.update(transaction, name, members, nowMs);
  },
  async delete(transaction, name, nowMs) {
    await noteAttributeChange(transaction, name.account);
    await attributeTable.delete(transaction, name, nowMs);
  },
};

const noteChangeStatement = {
  name: "attribute_changes_note",
  text: `INSERT INTO attribute_changes (account, changed_by) VALUES ($1, pg_current_xact_id())
    ON CONFLICT (account) DO UPDATE SET changed_by = EXCLUDED.changed_by`,
};
// A transaction that this snapshot does not see has a number from its xmin on: the next check begins there.
const readChangesStatement = {
  name: "attribute_changes_read",
  text: `SELECT pg_snapshot_xmin(now.snapshot)::text AS "from", c.account, c.changed_by::text AS "changedBy"
    FROM (SELECT pg_current_snapshot() AS snapshot) now LEFT JOIN attribute_changes c ON c.changed_by >= $1::xid8`,
};

/** Notes, in the transaction that changes an account's definitions, that it did. */
export async function noteAttributeChange(transaction: Transaction, account: number): Promise<void> {
  await transaction.execute(noteChangeStatement, [account]);
}

export interface AttributeChanges {
  /** Accounts that changed their definitions, each with what changes with every change; some may have been read before. */
  readonly accounts: ReadonlyMap<number, string>;
  /** Beginning of the next check: nothing that this one did not see lies before. */
  readonly next: string;
}

/** Reads whose definitions were changed. @param from `next` of an earlier look; default: since ever. */
export async function readAttributeChanges(session: Session, from = "0"): Promise<AttributeChanges> {
  const rows = await session.query<{ from: string; account: number | null; changedBy: string }>(readChangesStatement, [
    from,
  ]);
  const accounts = rows.flatMap(({ account, changedBy }) => (account === null ? [] : [[account, changedBy] as const]));
  return { accounts: new Map(accounts), next: rows[0]?.from ?? from };
}

/** A value and how many erased contacts had it. */
export interface RetainedValue {
  /** JSON text. */
  readonly value: string;
  readonly contacts: number;
}

const addRetainedStatement = {
  name: "retained_values_add",
  text: `INSERT INTO retained_values AS v (account, key, value, contacts)
    SELECT $1, key, value, 1 FROM unnest($2::text[], $3::text[]) AS r (key, value) ORDER BY key, value
    ON CONFLICT (account, key, value) DO UPDATE SET contacts = v.contacts + 1`,
};
const readRetainedValuesStatement = {
  name: "retained_values_read",
  text: `SELECT value, contacts FROM retained_values WHERE account = $1 AND key = $2
    ORDER BY contacts DESC, value LIMIT $3`,
};
const deleteRetainedStatement = {
  name: "retained_values_delete",
  text: "DELETE FROM retained_values WHERE account = $1 AND key = $2",
};

/** Counts one contact for each value; a key stands once. In order of key and value, so that two erasures do not wait for each other. */
export async function addRetainedValues(
  transaction: Transaction,
  account: number,
  values: readonly { readonly key: string; readonly value: string }[],
): Promise<void> {
  if (values.length === 0) return;
  const columns = [textArray(values, ({ key }) => key), textArray(values, ({ value }) => value)];
  await transaction.execute(addRetainedStatement, [account, ...columns]);
}

/** The most frequent first. */
export function readRetainedValues(
  session: Session,
  { account, key }: AttributeKey,
  rowsMax: number,
): Promise<RetainedValue[]> {
  return session.query(readRetainedValuesStatement, [account, key, rowsMax]);
}

export async function deleteRetainedValues(transaction: Transaction, { account, key }: AttributeKey): Promise<void> {
  await transaction.execute(deleteRetainedStatement, [account, key]);
}
