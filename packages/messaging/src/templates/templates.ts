import { textArray } from "@headwater/postgres/connection/arrays";
import { createConditions } from "@headwater/postgres/connection/conditions";
import { keysetOrder } from "@headwater/postgres/connection/keyset";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { isSentBy } from "./templateUses.ts";

/** Members of a template as they are stored; null = absent. */
export interface TemplateMembers {
  readonly tags: readonly string[] | null;
  /** 24 hex characters. */
  readonly transportId: string | null;
  /** JSON text. */
  readonly settings: string;
  /** JSON text; null until the first publishing. */
  readonly published: string | null;
  /** JSON text; null where there is no newer one. */
  readonly draft: string | null;
}

interface TemplateKey {
  readonly account: number;
  readonly key: string;
}

export interface StoredTemplate extends TemplateKey, TemplateMembers {
  /** 24 hex characters. */
  readonly mdtId: string;
  readonly channel: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

const BESIDE = `account, key, mdt_id AS "mdtId", channel, tags, transport_id AS "transportId", settings,
  created_at AS "createdAt", updated_at AS "updatedAt"`;
const createStatement = {
  name: "templates_create",
  text: `INSERT INTO automation_templates
      (account, key, mdt_id, channel, tags, transport_id, settings, published, draft, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5::text[], $6, $7, $8, $9, $10, $10) ON CONFLICT (account, key) DO NOTHING`,
};
const readStatement = {
  name: "templates_read",
  text: `SELECT ${BESIDE}, published, draft FROM automation_templates WHERE account = $1 AND key = $2`,
};
const readByIdStatement = {
  name: "templates_read_by_id",
  text: `SELECT account, key, mdt_id AS "mdtId", channel, settings FROM automation_templates
    WHERE account = $1 AND mdt_id = ANY ($2::text[])`,
};
const knownKeysStatement = {
  name: "templates_known_keys",
  text: "SELECT key FROM automation_templates WHERE account = $1 AND key = ANY ($2::text[])",
};
const contentKeysStatement = {
  name: "templates_content_keys",
  text: `SELECT key, left(encode(sha256(convert_to(published, 'UTF8')), 'hex'), 24) AS "contentKey" FROM automation_templates
    WHERE account = $1 AND key = ANY ($2::text[]) AND published IS NOT NULL`,
};
const readPublishedStatement = {
  name: "templates_read_published",
  text: `SELECT account, key, mdt_id AS "mdtId", channel, settings FROM automation_templates
    WHERE account = $1 AND key = ANY ($2::text[]) AND published IS NOT NULL`,
};
const lockStatement = { name: "templates_lock", text: `${readStatement.text} FOR UPDATE` };
const updateStatement = {
  name: "templates_update",
  text: `UPDATE automation_templates SET tags = $3::text[], transport_id = $4, settings = $5, published = $6, draft = $7,
    updated_at = $8 WHERE account = $1 AND key = $2`,
};
const deleteStatement = {
  name: "templates_delete",
  text: "DELETE FROM automation_templates WHERE account = $1 AND key = $2",
};
const ofTransportStatement = {
  name: "templates_of_transport",
  text: "SELECT key FROM automation_templates WHERE account = $1 AND transport_id = $2 ORDER BY key LIMIT $3",
};

/** @returns false when the key is taken; of two that come at once one gets false. */
export async function createTemplate(
  transaction: Transaction,
  template: Omit<StoredTemplate, "createdAt" | "updatedAt">,
  nowMs: number,
): Promise<boolean> {
  const { account, key, mdtId, channel } = template;
  const values = [account, key, mdtId, channel, ...valuesOf(template), nowMs];
  return (await transaction.execute(createStatement, values)) === 1;
}

export async function readTemplate(
  session: Session,
  account: number,
  key: string,
): Promise<StoredTemplate | undefined> {
  const [row] = await session.query<StoredTemplate>(readStatement, [account, key]);
  return row;
}

/** A template without its contents. */
export type TemplateFacts = Pick<StoredTemplate, "account" | "key" | "mdtId" | "channel" | "settings">;

/** Returns those of the templates that are there. */
export function readTemplatesById(
  session: Session,
  account: number,
  mdtIds: readonly string[],
): Promise<TemplateFacts[]> {
  return session.query(readByIdStatement, [account, textArray(mdtIds, (id) => id)]);
}

/** Returns those of the keys that a template has. */
export async function knownTemplates(
  session: Session,
  account: number,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const rows = await session.query<{ key: string }>(knownKeysStatement, [account, textArray(keys, (key) => key)]);
  return new Set(rows.map(({ key }) => key));
}

/** Returns names of the contents that sends would use now, by the keys of published templates: each content has its own, 24 hex characters. */
export async function readContentKeys(
  session: Session,
  account: number,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (keys.length === 0) return new Map();
  const values = [account, textArray(keys, (key) => key)];
  const rows = await session.query<{ key: string; contentKey: string }>(contentKeysStatement, values);
  return new Map(rows.map(({ key, contentKey }) => [key, contentKey]));
}

/** Returns those of the templates that were published. */
export function readPublishedTemplates(
  session: Session,
  account: number,
  keys: readonly string[],
): Promise<TemplateFacts[]> {
  return session.query(readPublishedStatement, [account, textArray(keys, (key) => key)]);
}

/** Locked until the transaction ends: nobody else changes it. */
export async function lockTemplate(
  transaction: Transaction,
  account: number,
  key: string,
): Promise<StoredTemplate | undefined> {
  const [row] = await transaction.query<StoredTemplate>(lockStatement, [account, key]);
  return row;
}

export async function updateTemplate(
  transaction: Transaction,
  { account, key, ...members }: TemplateKey & TemplateMembers,
  nowMs: number,
): Promise<void> {
  await transaction.execute(updateStatement, [account, key, ...valuesOf(members), nowMs]);
}

export async function deleteTemplate(transaction: Transaction, { account, key }: TemplateKey): Promise<void> {
  await transaction.execute(deleteStatement, [account, key]);
}

/** Keys of the templates that name a transport, as they were when it was locked. */
export async function templatesOfTransport(
  transaction: Transaction,
  { account, id }: { readonly account: number; readonly id: string },
  keysMax: number,
): Promise<string[]> {
  const rows = await transaction.query<{ key: string }>(ofTransportStatement, [account, id, keysMax]);
  return rows.map(({ key }) => key);
}

function valuesOf({ tags, transportId, settings, published, draft }: TemplateMembers) {
  return [tags === null ? null : textArray(tags, (tag) => tag), transportId, settings, published, draft];
}

/** Position of a template in the orders that lists have. */
export interface TemplatePath {
  readonly ct: number;
  readonly key: string;
  readonly lm?: number | undefined;
  readonly name?: string | undefined;
}

export interface TemplatesPage {
  readonly account: number;
  /** Templates that have one of them. */
  readonly tags?: readonly string[];
  /** Templates that the current version of an orchestration sends, by its id. */
  readonly orchestration?: string;
  /** Templates that a version of an orchestration sends, by its id. */
  readonly composition?: string;
  /** Milliseconds since 1970; from is included, to is not. */
  readonly createdFrom?: number;
  readonly createdTo?: number;
  readonly updatedFrom?: number;
  readonly updatedTo?: number;
  readonly sortBy: "ct" | "key" | "lm" | "name";
  readonly direction: "asc" | "desc";
  /** The last one of the page before. */
  readonly after?: TemplatePath;
  readonly skip: number;
  readonly rowsMax: number;
  /** Limit of the contents that are read; the first template's are read in any case. 0 reads none of them. */
  readonly contentBytesMax: number;
}

/** A template of a page; `hasContent` is false where the page has no space for its contents. */
export type ListedTemplate = StoredTemplate & { readonly hasContent: boolean };

/** Lists in order of key, or of the time of creation or of the last change, or the name, each with the key. Contents beyond the bound stay where they are stored. */
export function pageTemplates(session: Session, page: TemplatesPage): Promise<ListedTemplate[]> {
  const where = filters(page);
  const order = keysetOrder(where, sortingOf(page));
  const limits = `LIMIT ${where.bind(page.rowsMax)} OFFSET ${where.bind(page.skip)}`;
  const bytes = where.bind(page.contentBytesMax);
  const fits = `(bytes <= ${bytes} OR (place = 1 AND ${bytes} > 0))`;
  const sizes = "COALESCE(octet_length(published), 0) + COALESCE(octet_length(draft), 0)";
  const text = `SELECT ${BESIDE}, ${fits} AS "hasContent", CASE WHEN ${fits} THEN published END AS published,
      CASE WHEN ${fits} THEN draft END AS draft
    FROM (SELECT *, sum(${sizes}) OVER sorted AS bytes, row_number() OVER sorted AS place
      FROM (SELECT * FROM automation_templates WHERE ${where.text()} ORDER BY ${order} ${limits}) AS page
      WINDOW sorted AS (ORDER BY ${order})) AS measured
    ORDER BY place`;
  return session.query({ text }, where.values);
}

const NAME = "COALESCE(settings::json ->> 'name', '')";

function sortingOf({ sortBy, direction, after }: TemplatesPage) {
  switch (sortBy) {
    case "key":
      return { columns: ["key"], direction, last: after && [after.key] };
    case "ct":
      return { columns: ["created_at", "key"], direction, last: after && [after.ct, after.key] };
    case "lm":
      return { columns: ["updated_at", "key"], direction, last: after && [after.lm ?? 0, after.key] };
    case "name":
      return { columns: [NAME, "key"], direction, last: after && [after.name ?? "", after.key] };
  }
}

type TemplateFilters = Pick<
  TemplatesPage,
  "account" | "tags" | "orchestration" | "composition" | "createdFrom" | "createdTo" | "updatedFrom" | "updatedTo"
>;

export async function countTemplates(session: Session, page: TemplateFilters): Promise<number> {
  const where = filters(page);
  const text = `SELECT count(*) AS count FROM automation_templates WHERE ${where.text()}`;
  const [row] = await session.query<{ count: number }>({ text }, where.values);
  return row?.count ?? 0;
}

function filters({ account, tags, orchestration, composition, ...times }: TemplateFilters) {
  const { createdFrom, createdTo, updatedFrom, updatedTo } = times;
  const where = createConditions();
  where.add(`account = ${where.bind(account)}`);
  if (orchestration !== undefined) where.add(isSentBy("orchestration", where.bind(orchestration)));
  if (composition !== undefined) where.add(isSentBy("composition", where.bind(composition)));
  if (tags !== undefined) where.add(`tags && ${where.bind(textArray(tags, (tag) => tag))}::text[]`);
  if (createdFrom !== undefined) where.add(`created_at >= ${where.bind(createdFrom)}`);
  if (createdTo !== undefined) where.add(`created_at < ${where.bind(createdTo)}`);
  if (updatedFrom !== undefined) where.add(`updated_at >= ${where.bind(updatedFrom)}`);
  if (updatedTo !== undefined) where.add(`updated_at < ${where.bind(updatedTo)}`);
  return where;
}
