import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import { createConditions } from "@headwater/postgres/connection/conditions";
import { keysetOrder } from "@headwater/postgres/connection/keyset";
import { createResourceTable, type RowOf } from "@headwater/postgres/connection/resourceTable";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { z } from "zod";
import { type Composition, compositionSchema, type Draft, draftSchema } from "./orchestration.ts";

export const orchestrationTable = createResourceTable({
  name: "orchestrations",
  key: "orchestrationID",
  members: {
    name: "text",
    tags: "text[] | null",
    isEnabled: "boolean",
    /** Milliseconds since 1970 of the last time it was enabled. */
    enabledAt: "integer | null",
    /** The version that new runs follow; null until the first one is published. */
    version: "integer | null",
    compositionId: "text | null",
    publishedAt: "integer | null",
    /** JSON text: see `readContent`. */
    content: "text",
  },
  columns: { orchestrationID: "id" },
  where: "deleted_at IS NULL",
  large: "content",
});

export type StoredOrchestration = RowOf<typeof orchestrationTable>;

/** Names an orchestration by its id, 24 hex characters. */
export interface OrchestrationName {
  readonly account: number;
  readonly orchestration: string;
}

const deleteStatement = {
  name: "orchestrations_delete",
  text: `UPDATE orchestrations SET is_enabled = false, deleted_at = $3
    WHERE account = $1 AND id = $2 AND version IS NOT NULL AND deleted_at IS NULL`,
};
const deleteDraftStatement = {
  name: "orchestrations_delete_draft",
  text: "DELETE FROM orchestrations WHERE account = $1 AND id = $2 AND version IS NULL",
};

/** Orchestrations that exist, in order of (time of creation, id), of (last change, id) or of (name, id). */
export const orchestrations: typeof orchestrationTable = {
  ...orchestrationTable,
  /** Leaves the row of a published one: its runs are to be ended. */
  async delete(transaction, { account, key }, nowMs) {
    await Promise.all([
      transaction.execute(deleteStatement, [account, key, nowMs]),
      transaction.execute(deleteDraftStatement, [account, key]),
    ]);
  },
};

const contentShape = z.object({ draft: draftSchema, published: compositionSchema.optional() });

/** Draft as an editor has saved it, and the composition that new runs follow. */
export interface Content {
  readonly draft: Draft;
  readonly published?: Composition | undefined;
}

export function readContent({ content }: Pick<StoredOrchestration, "content">): Content {
  return contentShape.parse(JSON.parse(content));
}

/** A class of advisory locks of its own. */
const LOCK_CLASS = 7_238_415;
const lockStatement = { name: "orchestrations_lock", text: "SELECT pg_advisory_xact_lock($1::int, $2::int)" };
const countEnabledStatement = {
  name: "orchestrations_count_enabled",
  text: "SELECT count(*) AS count FROM orchestrations WHERE account = $1 AND is_enabled AND deleted_at IS NULL AND id <> $2",
};

/** Counts the other orchestrations that are enabled. No other one of the account is enabled until the transaction ends. */
export async function countEnabled(
  transaction: Transaction,
  { account, orchestration }: OrchestrationName,
): Promise<number> {
  await transaction.query(lockStatement, [LOCK_CLASS, account]);
  const [row] = await transaction.query<{ count: number }>(countEnabledStatement, [account, orchestration]);
  return row?.count ?? 0;
}

/** An orchestration that starts runs. */
export interface EnabledOrchestration extends OrchestrationName {
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly enabledAt: number;
}

const enabledStatement = {
  name: "orchestrations_enabled",
  text: `SELECT account, id AS orchestration, version, enabled_at AS "enabledAt" FROM orchestrations
    WHERE account = ANY ($1::int[]) AND is_enabled AND version IS NOT NULL AND deleted_at IS NULL ORDER BY account, id`,
};

/** Returns the orchestrations of some accounts that are enabled and published, in order of account and id. */
export function readEnabled(session: Session, accounts: readonly number[]): Promise<EnabledOrchestration[]> {
  return session.query(enabledStatement, [plainArray(accounts, (account) => account)]);
}

export interface VersionName extends OrchestrationName {
  readonly version: number;
}

/** A published version. It never changes, so it may be cached by its name. */
export interface PublishedVersion extends VersionName {
  /** 24 hex characters. */
  readonly compositionId: string;
  readonly composition: Composition;
  /** Ids of the lists that its criteria name by name. */
  readonly lists: Readonly<Record<string, number>>;
  /** Nodes of former versions whose runs go on here, each with its new node. */
  readonly migration: Readonly<Record<string, string>> | undefined;
  /** Milliseconds since 1970. */
  readonly publishedAt: number;
}

const insertVersionStatement = {
  name: "orchestration_versions_insert",
  text: `INSERT INTO orchestration_versions
      (account, orchestration, version, composition_id, composition, lists, nodes, migration, published_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7::text[], $8, $9)`,
};

export async function insertVersion(transaction: Transaction, published: PublishedVersion): Promise<void> {
  const { account, orchestration, version, compositionId, composition, lists, migration, publishedAt } = published;
  await transaction.execute(insertVersionStatement, [
    ...[account, orchestration, version, compositionId, JSON.stringify(composition), JSON.stringify(lists)],
    textArray(composition.actions, ({ id }) => id),
    migration === undefined ? null : JSON.stringify(migration),
    publishedAt,
  ]);
}

const readVersionStatement = {
  name: "orchestration_versions_read",
  text: `SELECT account, orchestration, version, composition_id AS "compositionId", composition, lists, migration,
      published_at AS "publishedAt"
    FROM orchestration_versions WHERE account = $1 AND orchestration = $2 AND version = $3`,
};

interface VersionRow extends VersionName {
  readonly compositionId: string;
  /** JSON text, as the next two. */
  readonly composition: string;
  readonly lists: string;
  readonly migration: string | null;
  readonly publishedAt: number;
}

const pinsShape = z.record(z.string(), z.int());
const migrationShape = z.record(z.string(), z.string());

/** Returns a version by its number, also one of an orchestration that was deleted as long as it has runs. */
export async function readVersion(session: Session, name: VersionName): Promise<PublishedVersion | undefined> {
  const { account, orchestration, version } = name;
  const [row] = await session.query<VersionRow>(readVersionStatement, [account, orchestration, version]);
  if (row === undefined) return undefined;
  const { composition, lists, migration } = row;
  return {
    ...row,
    composition: compositionSchema.parse(JSON.parse(composition)),
    lists: pinsShape.parse(JSON.parse(lists)),
    migration: migration === null ? undefined : migrationShape.parse(JSON.parse(migration)),
  };
}

export interface VersionsPage extends OrchestrationName {
  readonly direction: "asc" | "desc";
  /** Number of the last version of the page before. */
  readonly after?: number | undefined;
  readonly skip: number;
  readonly rowsMax: number;
}

/** Reads a page of versions without their contents, in order of their numbers. */
export function pageVersions(
  session: Session,
  { account, orchestration, direction, after, skip, rowsMax }: VersionsPage,
): Promise<Pick<PublishedVersion, "version" | "compositionId" | "publishedAt">[]> {
  const where = createConditions();
  where.add(`account = ${where.bind(account)}`);
  where.add(`orchestration = ${where.bind(orchestration)}`);
  const last = after === undefined ? undefined : [after];
  const order = keysetOrder(where, { columns: ["version"], direction, last });
  const limits = `LIMIT ${where.bind(rowsMax)} OFFSET ${where.bind(skip)}`;
  const text = `SELECT version, composition_id AS "compositionId", published_at AS "publishedAt" FROM orchestration_versions
    WHERE ${where.text()} ORDER BY ${order} ${limits}`;
  return session.query({ text }, where.values);
}

const knownNodesStatement = {
  name: "orchestration_versions_known_nodes",
  text: `SELECT asked AS id FROM unnest($3::text[]) AS asked WHERE EXISTS
    (SELECT 1 FROM orchestration_versions v WHERE v.account = $1 AND v.orchestration = $2 AND asked = ANY (v.nodes))`,
};

/** Returns those ids that a node of any version has. */
export async function knownNodes(
  session: Session,
  { account, orchestration }: OrchestrationName,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const values = [account, orchestration, textArray(ids, (id) => id)];
  const rows = await session.query<{ id: string }>(knownNodesStatement, values);
  return new Set(rows.map(({ id }) => id));
}

const deletedStatement = {
  name: "orchestrations_deleted",
  text: `SELECT account, id AS orchestration, deleted_at AS "deletedAt" FROM orchestrations WHERE deleted_at IS NOT NULL
    ORDER BY deleted_at, account, id LIMIT $1`,
};

/** Returns deleted orchestrations whose runs may still have to be ended, those first that were deleted first. */
export function readDeleted(
  session: Session,
  rowsMax: number,
): Promise<(OrchestrationName & { readonly deletedAt: number })[]> {
  return session.query(deletedStatement, [rowsMax]);
}

const purgeVersionsStatement = {
  name: "orchestration_versions_purge",
  text: "DELETE FROM orchestration_versions WHERE account = $1 AND orchestration = $2",
};
const purgeStatement = {
  name: "orchestrations_purge",
  text: "DELETE FROM orchestrations WHERE account = $1 AND id = $2 AND deleted_at IS NOT NULL",
};

/** Deletes what is left of a deleted orchestration, once it has no run that goes on. */
export async function purge(transaction: Transaction, { account, orchestration }: OrchestrationName): Promise<void> {
  if ((await transaction.execute(purgeStatement, [account, orchestration])) === 0) return;
  await transaction.execute(purgeVersionsStatement, [account, orchestration]);
}
