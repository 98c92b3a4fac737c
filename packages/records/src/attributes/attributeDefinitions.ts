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
import { bothWays, type Direction } from "@headwater/postgres/connection/bothWays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { lockNames } from "../lists/lists.ts";
import { noteAttributeChange } from "./attributeChanges.ts";

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
const oneStatement = {
  name: "attributes_one",
  text: `SELECT ${COLUMNS} FROM attribute_definitions WHERE account = $1 AND key = $2`,
};
const retainedStatement = {
  name: "attributes_retained",
  text: `SELECT ${COLUMNS} FROM attribute_definitions WHERE account = $1 AND retain_on_destroy IS NOT NULL ORDER BY key`,
};
const pageStatements = bothWays((direction, isBeyond) => ({
  name: `attributes_page_${direction}`,
  text: `SELECT ${COLUMNS} FROM attribute_definitions
    WHERE account = $1 AND ($2::text IS NULL OR key ${isBeyond} $2) AND ($3::text IS NULL OR type = $3) AND ($4::bool IS NULL OR indexed = $4)
    ORDER BY key ${direction} LIMIT $5 OFFSET $6`,
}));
const NAME = "COALESCE(name, key)";
const byNameStatements = bothWays((direction, isBeyond) => ({
  name: `attributes_page_by_name_${direction}`,
  text: `SELECT ${COLUMNS} FROM attribute_definitions
    WHERE account = $1 AND ($2::text IS NULL OR (${NAME}, key) ${isBeyond} ($7::text, $2))
      AND ($3::text IS NULL OR type = $3) AND ($4::bool IS NULL OR indexed = $4)
    ORDER BY ${NAME} ${direction}, key ${direction} LIMIT $5 OFFSET $6`,
}));
const countStatement = {
  name: "attributes_count",
  text: `SELECT count(*) AS count FROM attribute_definitions
    WHERE account = $1 AND ($2::text IS NULL OR type = $2) AND ($3::bool IS NULL OR indexed = $3)`,
};
const setStatement = {
  name: "attributes_set",
  text: `INSERT INTO attribute_definitions AS d (account, key, type, name, indexed, is_unique, validators, max_items,
      update_unauthenticated, retain_on_destroy, created_at, modified_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7::json, $8, $9, $10, $11, $11)
    ON CONFLICT (account, key) DO UPDATE SET type = EXCLUDED.type, name = EXCLUDED.name, indexed = EXCLUDED.indexed,
      is_unique = EXCLUDED.is_unique, validators = EXCLUDED.validators, max_items = EXCLUDED.max_items,
      update_unauthenticated = EXCLUDED.update_unauthenticated, retain_on_destroy = EXCLUDED.retain_on_destroy,
      modified_at = EXCLUDED.modified_at`,
};
const deleteStatement = {
  name: "attributes_delete",
  text: "DELETE FROM attribute_definitions WHERE account = $1 AND key = $2 RETURNING type",
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

/** @param transaction locks the account's names, so that no list takes the key meanwhile. */
export async function lockAttribute(
  transaction: Transaction,
  { account, key }: AttributeKey,
): Promise<AttributeDefinition | undefined> {
  const [, definition] = await Promise.all([
    lockNames(transaction, account),
    readAttribute(transaction, { account, key }),
  ]);
  return definition;
}

export async function readAttribute(session: Session, { account, key }: AttributeKey) {
  const [row] = await session.query<Row>(oneStatement, [account, key]);
  return row && toDefinition(row);
}

/** Definitions of which something stays when a contact is erased. */
export async function readRetained(session: Session, account: number): Promise<AttributeDefinition[]> {
  return (await session.query<Row>(retainedStatement, [account])).map(toDefinition);
}

export interface AttributesPage {
  readonly account: number;
  readonly direction: Direction;
  readonly type?: string | undefined;
  readonly indexed?: boolean | undefined;
  /** Default: by key. */
  readonly sortBy?: "key" | "name";
  /** The last one of the page before. */
  readonly after?: { readonly key: string; readonly name: string } | undefined;
  readonly skip: number;
  readonly rowsMax: number;
}

/** Returns a page of definitions in order of key, or of (name, key): the key stands for a name that was not given. */
export async function pageAttributes(session: Session, page: AttributesPage): Promise<AttributeDefinition[]> {
  const { account, direction, after, type = null, indexed = null, rowsMax, skip, sortBy = "key" } = page;
  const values = [account, after?.key ?? null, type, indexed, rowsMax, skip];
  const rows =
    sortBy === "key"
      ? await session.query<Row>(pageStatements[direction], values)
      : await session.query<Row>(byNameStatements[direction], [...values, after?.name ?? null]);
  return rows.map(toDefinition);
}

export async function countAttributes(
  session: Session,
  { account, type, indexed }: Pick<AttributesPage, "account" | "type" | "indexed">,
): Promise<number> {
  const [row] = await session.query<{ count: number }>(countStatement, [account, type ?? null, indexed ?? null]);
  return row?.count ?? 0;
}

/** Makes or replaces a definition. @param nowMs milliseconds since 1970. */
export async function setAttribute(
  transaction: Transaction,
  definition: Omit<AttributeDefinition, "createdAt">,
  nowMs: number,
): Promise<void> {
  const { account, key, type, name, indexed, unique, validators, maxItems } = definition;
  const { updateUnauthenticated, retainOnDestroy } = definition;
  const rules = validators === null ? null : JSON.stringify(validators);
  const values = [account, key, type, name, indexed, unique, rules, maxItems, updateUnauthenticated, retainOnDestroy];
  await Promise.all([transaction.execute(setStatement, [...values, nowMs]), noteAttributeChange(transaction, account)]);
}

/** @returns the type it had; undefined when there was none. */
export async function deleteAttribute(
  transaction: Transaction,
  { account, key }: AttributeKey,
): Promise<AttributeType | undefined> {
  const [[row]] = await Promise.all([
    transaction.query<{ type: string }>(deleteStatement, [account, key]),
    noteAttributeChange(transaction, account),
  ]);
  return row && attributeType.parse(row.type);
}

function toDefinition({ type, validators, ...row }: Row): AttributeDefinition {
  const read = validators === null ? null : attributeValidators.parse(JSON.parse(validators));
  return { ...row, type: attributeType.parse(type), validators: read };
}
