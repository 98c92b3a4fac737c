import type { Session } from "@headwater/postgres/connection/session";

/** A file that a job wrote. */
export interface StoredFile {
  /** 24 hex characters. */
  readonly id: string;
  readonly account: number;
  readonly job: string;
  readonly name: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly manifest: object;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** A file with the account's id, which names its folder. */
export interface FileWithAccount extends StoredFile {
  readonly accountId: string;
}

type FileRow = Omit<FileWithAccount, "manifest"> & { readonly manifest: string };

const COLUMNS = `f.id, f.account, a.id AS "accountId", f.job, f.name, f.content_type AS "contentType", f.bytes, f.sha256, f.manifest,
  f.created_at AS "createdAt"`;
const FROM = "FROM files f JOIN intake.accounts a ON a.number = f.account";
const insertStatement = {
  name: "files_insert",
  text: `INSERT INTO files (id, account, job, name, content_type, bytes, sha256, manifest, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    ON CONFLICT (id) DO UPDATE SET bytes = EXCLUDED.bytes, sha256 = EXCLUDED.sha256, manifest = EXCLUDED.manifest`,
};
const readStatement = { name: "files_read", text: `SELECT ${COLUMNS} ${FROM} WHERE f.id = $1` };
const oldStatement = {
  name: "files_old",
  text: `SELECT ${COLUMNS} ${FROM} WHERE f.created_at < $1 ORDER BY f.created_at LIMIT $2`,
};
const ofJobsStatement = {
  name: "files_of_jobs",
  text: `SELECT ${COLUMNS} ${FROM} JOIN jobs j ON j.id = f.job
    WHERE f.account = $1 AND j.name = $2 AND f.id > $3 ORDER BY f.id LIMIT 1`,
};
const deleteStatement = { name: "files_delete", text: "DELETE FROM files WHERE id = $1" };

export async function insertFile(session: Session, file: StoredFile): Promise<void> {
  const { id, account, job, name, contentType, bytes, sha256, manifest, createdAt } = file;
  const values = [id, account, job, name, contentType, bytes, sha256, JSON.stringify(manifest), createdAt];
  await session.execute(insertStatement, values);
}

export async function readFileRow(session: Session, id: string): Promise<FileWithAccount | undefined> {
  const [row] = await session.query<FileRow>(readStatement, [id]);
  return row === undefined ? undefined : toFile(row);
}

/** Files that were written before then, the oldest first. */
export async function oldFiles(session: Session, before: number, rowsMax: number): Promise<FileWithAccount[]> {
  return (await session.query<FileRow>(oldStatement, [before, rowsMax])).map(toFile);
}

/** Returns the next file, in order of id, that jobs of a name wrote for an account. */
export async function nextFileOfJobs(
  session: Session,
  { account, jobName, after }: { readonly account: number; readonly jobName: string; readonly after: string },
): Promise<FileWithAccount | undefined> {
  const [row] = await session.query<FileRow>(ofJobsStatement, [account, jobName, after]);
  return row === undefined ? undefined : toFile(row);
}

export async function deleteFileRow(session: Session, id: string): Promise<void> {
  await session.execute(deleteStatement, [id]);
}

function toFile({ manifest, ...rest }: FileRow): FileWithAccount {
  return { ...rest, manifest: JSON.parse(manifest) };
}
