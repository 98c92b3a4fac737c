import { createConditions } from "../connection/conditions.ts";
import { type NamedPage, namedPageText } from "../connection/namedPage.ts";
import type { Session, Transaction } from "../connection/session.ts";

/** Members of a program; null = absent. */
export interface ProgramMembers {
  readonly name: string;
  /** JSON text. */
  readonly messages: string | null;
  /** JSON text. */
  readonly orchestrations: string | null;
}

interface ProgramKey {
  readonly account: number;
  /** 24 hex characters. */
  readonly id: string;
}

export interface StoredProgram extends ProgramKey, ProgramMembers {
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

const COLUMNS = `account, id, name, messages, orchestrations, created_at AS "createdAt", updated_at AS "updatedAt"`;
const insertStatement = {
  name: "programs_insert",
  text: `INSERT INTO programs (account, id, name, messages, orchestrations, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $6)`,
};
const readStatement = {
  name: "programs_read",
  text: `SELECT ${COLUMNS} FROM programs WHERE account = $1 AND id = $2`,
};
const lockStatement = { name: "programs_lock", text: `${readStatement.text} FOR UPDATE` };
const updateStatement = {
  name: "programs_update",
  text: `UPDATE programs SET name = $3, messages = $4, orchestrations = $5, updated_at = $6
    WHERE account = $1 AND id = $2`,
};
const deleteStatement = { name: "programs_delete", text: "DELETE FROM programs WHERE account = $1 AND id = $2" };

export async function insertProgram(
  transaction: Transaction,
  { account, id, name, messages, orchestrations }: ProgramKey & ProgramMembers,
  nowMs: number,
): Promise<void> {
  await transaction.execute(insertStatement, [account, id, name, messages, orchestrations, nowMs]);
}

export async function readProgram(session: Session, account: number, id: string): Promise<StoredProgram | undefined> {
  const [row] = await session.query<StoredProgram>(readStatement, [account, id]);
  return row;
}

/** Locked until the transaction ends: nobody else changes it. */
export async function lockProgram(
  transaction: Transaction,
  account: number,
  id: string,
): Promise<StoredProgram | undefined> {
  const [row] = await transaction.query<StoredProgram>(lockStatement, [account, id]);
  return row;
}

export async function updateProgram(
  transaction: Transaction,
  { account, id, name, messages, orchestrations }: ProgramKey & ProgramMembers,
  nowMs: number,
): Promise<void> {
  await transaction.execute(updateStatement, [account, id, name, messages, orchestrations, nowMs]);
}

export async function deleteProgram(transaction: Transaction, { account, id }: ProgramKey): Promise<void> {
  await transaction.execute(deleteStatement, [account, id]);
}

export interface ProgramsPage extends NamedPage {
  readonly account: number;
}

/** Lists in order of (time of creation, id), or of (name, id). */
export function pagePrograms(session: Session, { account, ...page }: ProgramsPage): Promise<StoredProgram[]> {
  const where = createConditions();
  where.add(`account = ${where.bind(account)}`);
  const text = namedPageText(where, page, { table: "programs", columns: COLUMNS });
  return session.query({ text }, where.values);
}

const countStatement = {
  name: "programs_count",
  text: "SELECT count(*) AS count FROM programs WHERE account = $1",
};

export async function countPrograms(session: Session, account: number): Promise<number> {
  const [row] = await session.query<{ count: number }>(countStatement, [account]);
  return row?.count ?? 0;
}
