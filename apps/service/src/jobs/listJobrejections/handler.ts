import type { Account } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import { readRedrive } from "@headwater/stores/deadLetters";
import { readStoredJob } from "@headwater/stores/jobs";
import type { Session } from "@headwater/stores/postgres";
import { readCounted } from "../../paging/counted.ts";
import { listAnswer, pickFields } from "../../paging/listAnswer.ts";
import { cutPage, readPage } from "../../paging/page.ts";
import type { ServicePorts } from "../../ports.ts";
import { REJECTION_MEMBERS } from "./rejection.ts";
import type { RejectionFile } from "./rejectionFiles.ts";
import { type PlacedRejection, type RejectionSource, rejectedLetters, rejectedRows } from "./rejectionSource.ts";
import type { RejectionsQuery } from "./schema.ts";

/** Rows of one look at the table while a file is written. */
const FILE_ROWS = 500;

export interface JobAsked {
  readonly job: string;
  readonly account: Account;
}

type ListPorts = Pick<ServicePorts, "postgres" | "cursors">;

/** A page of them, in order of their places. Throws 404 `RECORD_NOT_FOUND`. */
export async function listRejections(query: RejectionsQuery, asked: JobAsked, ports: ListPorts): Promise<Answer> {
  const source = { job: asked.job, account: asked.account.number };
  return (await isRedrive(asked, ports.postgres))
    ? listOf(rejectedLetters(source), { query, asked, ports })
    : listOf(rejectedRows(source), { query, asked, ports });
}

interface Listing {
  readonly query: RejectionsQuery;
  readonly asked: JobAsked;
  readonly ports: ListPorts;
}

async function listOf<Key>(
  source: RejectionSource<Key>,
  { query, asked: { job, account }, ports: { postgres, cursors } }: Listing,
): Promise<Answer> {
  const list = `rejections of ${job}`;
  const page = readPage(query, { list, key: source.key, direction: "asc", account: account.number, cursors });
  const pick = pickFields(query.fields, REJECTION_MEMBERS);
  const { after, skip, perPage, direction } = page;
  const { rows, total } = await readCounted(postgres, query, {
    page: (session) => source.page(session, { direction, after, skip, rowsMax: perPage + 1 }),
    count: source.count,
  });
  const { rows: kept, nextCursor } = cutPage(rows, page, ({ key }) => key);
  const listed = { rows: kept.map(({ rejection }) => pick(rejection)), nextCursor };
  return listAnswer({ path: `/v2/jobs/${encodeURIComponent(job)}/rejections`, query, page, listed, total });
}

/** All of them as a file. Throws 404 `RECORD_NOT_FOUND`. */
export async function rejectionsFile(file: RejectionFile, asked: JobAsked, postgres: Session): Promise<Answer> {
  const source = { job: asked.job, account: asked.account.number };
  const stream = (await isRedrive(asked, postgres))
    ? linesOf(rejectedLetters(source), { file, isRedrive: true, postgres })
    : linesOf(rejectedRows(source), { file, isRedrive: false, postgres });
  return { status: 200, headers: { "Content-Type": `${file.mediaType}; charset=utf-8` }, stream };
}

interface Writing {
  readonly file: RejectionFile;
  readonly isRedrive: boolean;
  readonly postgres: Session;
}

async function* linesOf<Key>(source: RejectionSource<Key>, { file, isRedrive: ofRedrive, postgres }: Writing) {
  const head = file.head(ofRedrive);
  if (head !== "") yield head;
  let after: Key | undefined;
  for (;;) {
    const page = { direction: "asc", after, skip: 0, rowsMax: FILE_ROWS } as const;
    const rows: PlacedRejection<Key>[] = await source.page(postgres, page);
    if (rows.length > 0) yield rows.map(({ rejection }) => file.line(rejection, ofRedrive)).join("");
    if (rows.length < FILE_ROWS) return;
    after = rows.at(-1)?.key;
  }
}

/** Returns whether the job is a redrive of dead letters. Throws 404 `RECORD_NOT_FOUND`. */
async function isRedrive({ job, account }: JobAsked, postgres: Session): Promise<boolean> {
  if ((await readStoredJob(postgres, account.number, job)) !== undefined) return false;
  if ((await readRedrive(postgres, account.number, job)) !== undefined) return true;
  throw refusal("RECORD_NOT_FOUND", "No job has this id.");
}
