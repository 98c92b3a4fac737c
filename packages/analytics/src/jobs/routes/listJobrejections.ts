import { waitForAfter } from "@headwater/api/consistency/after";
import { pageOf } from "@headwater/api/paging/answerSchema";
import { readCounted } from "@headwater/api/paging/counted";
import { listAnswer, pickFields } from "@headwater/api/paging/listAnswer";
import { cutPage, readPage } from "@headwater/api/paging/page";
import { listQuery, storableText } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import type { Account } from "@headwater/contracts";
import { type Answer, defineRoute, type Route, refusal } from "@headwater/http";
import {
  countRedriveRejections,
  pageRedriveRejections,
  type RedriveRejection,
  type RedriveRejectionPosition,
} from "@headwater/intake/deadLetters/redriveRejections";
import { readRedrive } from "@headwater/intake/deadLetters/redrives";
import { itemOfRecord } from "@headwater/intake/operations/redrive";
import { countJobRejections, type JobRejection, pageJobRejections } from "@headwater/jobs/queue/jobRejections";
import { readStoredJob } from "@headwater/jobs/queue/jobs";
import type { Session } from "@headwater/postgres/connection/session";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";

const rejectionShape = z.strictObject({
  /**
   * The row's position in the source, from 0. For a redrive: the record's position in it, as in its receipt; absent for a dead letter that validation
   * refused, which was not written.
   */
  index: z.number().int().optional(),
  /** Line of the source it begins on, from 1; absent where the source has none. */
  line: z.number().int().optional(),
  code: z.string(),
  message: z.string(),
  path: z.string().optional(),
  /** The row as it was read; for a redrive: the item of the dead letter. */
  record: z.unknown(),
  /** Id of the dead letter that stands for it now; only of a redrive. */
  deadLetter: z.string().optional(),
  /** Id of the dead letter whose record a redrive wrote and that was rejected again; absent when validation refused the dead letter itself. */
  redriveOf: z.string().optional(),
});
type Rejection = z.output<typeof rejectionShape>;

const REJECTION_MEMBERS = rejectionShape.keyof().options;

export function toRejection({ index, line, code, message, path, record }: JobRejection): Rejection {
  return { index, ...(typeof line === "number" && { line }), code, message, ...(path !== null && { path }), record };
}

export function toRejectionOfRedrive(rejection: RedriveRejection): Rejection {
  const { index, code, message, path, recordId: deadLetter, redriveOf } = rejection;
  return {
    ...(redriveOf !== null && { index }),
    code,
    message,
    ...(path !== "" && { path }),
    record: itemOfRecord(rejection),
    deadLetter,
    ...(redriveOf !== null && { redriveOf }),
  };
}

const params = z.strictObject({ id: storableText(64) });
const query = z.strictObject({
  ...listQuery,
  sort_by: z.literal("index").optional(),
});
type RejectionsQuery = z.output<typeof query>;

const rejectionsAnswer = pageOf(rejectionShape.partial());

const rejectionsExample = {
  data: [
    {
      index: 3,
      line: 5,
      code: "VALIDATION_ERROR",
      message: "It is no address.",
      path: "/email",
      record: { email: "" },
    },
  ],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};

/** Members that only redrives have: a file of another job has no columns for them. */
const OF_REDRIVES: readonly string[] = ["deadLetter", "redriveOf"];

/** Writes all rejections of a job as a file. */
interface RejectionFile {
  readonly mediaType: "application/x-ndjson" | "text/csv";
  /** Text before the lines. */
  readonly head: (isRedrive: boolean) => string;
  readonly line: (rejection: Rejection, isRedrive: boolean) => string;
}

const files: readonly RejectionFile[] = [
  {
    mediaType: "application/x-ndjson",
    head: () => "",
    line: (rejection) => `${JSON.stringify(rejection)}\n`,
  },
  {
    mediaType: "text/csv",
    head: (isRedrive) => `${columnsOf(isRedrive).join(",")}\r\n`,
    line: (rejection, isRedrive) =>
      `${columnsOf(isRedrive)
        .map((name) => quoted(cellOf(rejection, name)))
        .join(",")}\r\n`,
  },
];

function columnsOf(isRedrive: boolean) {
  return REJECTION_MEMBERS.filter((name) => isRedrive || !OF_REDRIVES.includes(name));
}

function cellOf(rejection: Rejection, name: keyof Rejection): string {
  return name === "record" ? JSON.stringify(rejection.record ?? null) : String(rejection[name] ?? "");
}

/** Returns the first file that an `Accept` header names; undefined: the list as JSON. */
export function fileAccepted(accept: string | undefined): RejectionFile | undefined {
  const named = (accept ?? "").split(",").map((part) => part.split(";")[0]?.trim().toLowerCase());
  for (const name of named) {
    const file = files.find(({ mediaType }) => mediaType === name);
    if (file !== undefined) return file;
  }
  return undefined;
}

/** RFC 4180. A cell that a spreadsheet would take for a formula begins with an apostrophe. */
function quoted(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

interface RejectionsAsked {
  readonly job: string;
  /** Number of the account. */
  readonly account: number;
}

interface RejectionPositions<Key> {
  readonly direction: "asc" | "desc";
  readonly after: Key | undefined;
  readonly skip: number;
  readonly rowsMax: number;
}

interface LocatedRejection<Key> {
  readonly key: Key;
  readonly rejection: Rejection;
}

/** Rejections of one job, wherever they are kept. */
interface RejectionSource<Key> {
  /** Position of one in the list. */
  readonly key: z.ZodType<Key>;
  readonly page: (session: Session, positions: RejectionPositions<Key>) => Promise<LocatedRejection<Key>[]>;
  readonly count: (session: Session) => Promise<number>;
}

/** Returns the rows of a source, which are kept with their job. */
function rejectedRows({ job, account }: RejectionsAsked): RejectionSource<number> {
  return {
    key: z.number().int(),
    page: async (session, { after, ...places }) => {
      const rows = await pageJobRejections(session, { account, job, ...places, ...(after !== undefined && { after }) });
      return rows.map((row) => ({ key: row.index, rejection: toRejection(row) }));
    },
    count: (session) => countJobRejections(session, account, job),
  };
}

/** Returns the dead letters that a redrive could not write, and the records that it wrote and that are dead letters again. */
function rejectedDeadLetters({ job: redrive, account }: RejectionsAsked): RejectionSource<RedriveRejectionPosition> {
  return {
    key: z.tuple([z.number().int(), z.number().int()]),
    page: async (session, { after, ...places }) => {
      const page = { account, redrive, ...places, ...(after !== undefined && { after }) };
      const rows = await pageRedriveRejections(session, page);
      return rows.map((row) => ({ key: [row.kind, row.index], rejection: toRejectionOfRedrive(row) }));
    },
    count: (session) => countRedriveRejections(session, account, redrive),
  };
}

/** Rows of one read of the table while a file is written. */
const FILE_ROWS = 500;

interface JobAsked {
  readonly job: string;
  readonly account: Account;
}

type ListPorts = Pick<RoutePorts, "postgres" | "cursors">;

/** A page of them, in order of their positions. Throws 404 `RECORD_NOT_FOUND`. */
async function listRejections(query: RejectionsQuery, asked: JobAsked, ports: ListPorts): Promise<Answer> {
  const source = { job: asked.job, account: asked.account.number };
  return (await isRedrive(asked, ports.postgres))
    ? listOf(rejectedDeadLetters(source), { query, asked, ports })
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
  const { rows: stored, nextCursor } = cutPage(rows, page, ({ key }) => key);
  const listed = { rows: stored.map(({ rejection }) => pick(rejection)), nextCursor };
  return listAnswer({ path: `/v2/jobs/${encodeURIComponent(job)}/rejections`, query, page, listed, total });
}

/** All of them as a file. Throws 404 `RECORD_NOT_FOUND`. */
async function rejectionsFile(file: RejectionFile, asked: JobAsked, postgres: Session): Promise<Answer> {
  const source = { job: asked.job, account: asked.account.number };
  const stream = (await isRedrive(asked, postgres))
    ? linesOf(rejectedDeadLetters(source), { file, isRedrive: true, postgres })
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
    const rows: LocatedRejection<Key>[] = await source.page(postgres, page);
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

export function listJobrejections(ports: AfterPorts & Pick<RoutePorts, "cursors" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/jobs/{id}/rejections",
    operationId: "listJobrejections",
    summary: "Lists rejected source rows of a job, kept for 7 days.",
    description:
      "Of a redrive of dead letters it lists the letters that validation refused (for 7 days), then the records that were written and rejected again, each with its dead letter. With `Accept: application/x-ndjson` or `text/csv`, returns all rows as a file, ignoring paging.",
    tags: ["jobs"],
    answers: {
      200: { description: "A page of rejected rows.", schema: rejectionsAnswer, example: rejectionsExample },
      404: { description: "RECORD_NOT_FOUND: no job has this id." },
    },
    auth: "basic",
    scope: "jobs:read",
    rateClass: "read",
    params,
    query,
    handler: async ({ params: { id: job }, query: input, caller, signal, header }) => {
      await waitForAfter({ token: input.after, caller, store: "state", signal }, ports);
      const asked = { job, account: caller.account };
      const file = fileAccepted(header("accept"));
      if (file !== undefined) return rejectionsFile(file, asked, ports.postgres);
      return listRejections(input, asked, ports);
    },
  });
}
