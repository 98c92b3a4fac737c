import type { Account } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import { readRedrive } from "@headwater/stores/deadLetters";
import { countJobRejections, type JobRejection, pageJobRejections, readStoredJob } from "@headwater/stores/jobs";
import type { Session } from "@headwater/stores/postgres";
import { readCounted } from "../../paging/counted.ts";
import { listAnswer, pickFields } from "../../paging/listAnswer.ts";
import { cutPage, readPage } from "../../paging/page.ts";
import type { ServicePorts } from "../../ports.ts";
import { type RejectionFile, rejectionFiles, viewRejection } from "./rejectionFiles.ts";
import { cursorKey, REJECTION_MEMBERS, type RejectionsQuery } from "./schema.ts";

/** Rows of one look at the table while a file is written. */
const FILE_ROWS = 500;

export interface RejectionsAsked {
  readonly job: string;
  readonly account: Account;
}

/** A page of them, in order of their places in the source. Throws 404 `RECORD_NOT_FOUND`. */
export async function listRejections(
  query: RejectionsQuery,
  { job, account }: RejectionsAsked,
  { postgres, cursors }: Pick<ServicePorts, "postgres" | "cursors">,
): Promise<Answer> {
  await expectJob({ job, account }, postgres);
  const list = `rejections of ${job}`;
  const page = readPage(query, { list, key: cursorKey, direction: "asc", account: account.number, cursors });
  const pick = pickFields(query.fields, REJECTION_MEMBERS);
  const { after, skip, perPage, direction } = page;
  const place = { direction, skip, rowsMax: perPage + 1, ...(after !== undefined && { after }) };
  const asked = { account: account.number, job, ...place };
  const { rows, total } = await readCounted(postgres, query, {
    page: (session) => pageJobRejections(session, asked),
    count: (session) => countJobRejections(session, account.number, job),
  });
  const { rows: kept, nextCursor } = cutPage(rows, page, ({ index }) => index);
  const listed = { rows: kept.map((rejection) => pick(viewRejection(rejection))), nextCursor };
  return listAnswer({ path: `/v2/jobs/${encodeURIComponent(job)}/rejections`, query, page, listed, total });
}

/** All of them as a file. Throws 404 `RECORD_NOT_FOUND`. */
export async function rejectionsFile(file: RejectionFile, asked: RejectionsAsked, postgres: Session): Promise<Answer> {
  await expectJob(asked, postgres);
  const headers = { "Content-Type": `${file}; charset=utf-8` };
  return { status: 200, headers, stream: linesOf(file, asked, postgres) };
}

async function* linesOf(file: RejectionFile, { job, account }: RejectionsAsked, postgres: Session) {
  const { head, line } = rejectionFiles[file];
  if (head !== "") yield head;
  let after = -1;
  for (;;) {
    const rows: JobRejection[] = await pageJobRejections(postgres, {
      account: account.number,
      job,
      after,
      rowsMax: FILE_ROWS,
    });
    if (rows.length > 0) yield rows.map(line).join("");
    const last = rows.at(-1);
    if (last === undefined || rows.length < FILE_ROWS) return;
    after = last.index;
  }
}

async function expectJob({ job, account }: RejectionsAsked, postgres: Session): Promise<void> {
  const known =
    (await readStoredJob(postgres, account.number, job)) ?? (await readRedrive(postgres, account.number, job));
  if (known === undefined) throw refusal("RECORD_NOT_FOUND", "No job has this id.");
}
