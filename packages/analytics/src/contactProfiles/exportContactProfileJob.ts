import { createHash, hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type Account, type JobInput, toTimestamp } from "@headwater/contracts";
import type { Destination } from "@headwater/jobs/destinations/destination";
import { insertFile } from "@headwater/jobs/files/fileRows";
import { FileTooLarge, type WrittenFile } from "@headwater/jobs/files/fileStore";
import { defineJobWithOutside, type JobPorts, type StepEnd, type Work } from "@headwater/jobs/runner/jobKind";
import { watermarksShape } from "@headwater/jobs/runner/watermarksShape";
import { openDestination } from "@headwater/jobs/storage/openDestination";
import { type TriedInVain, tryForAnHour } from "@headwater/jobs/storage/tryForAnHour";
import { HeadwaterError } from "@headwater/kernel";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { followStreamWatermark, takeStreamWatermark } from "@headwater/postgres/outbox/streamWatermarks";
import { readClearsOf } from "@headwater/records/attributes/attributeClears";
import { readContactByCid } from "@headwater/records/contacts/contactReads";
import { personOf } from "@headwater/records/contacts/profileReads";
import { z } from "zod";
import { ENTRY_TYPES, type Entry, entriesOfState, type Known } from "./entries.ts";
import { activitiesOf, fieldChangesOf, listChangesOf } from "./fromClickHouse.ts";

/** Bytes that are buffered before they are sent. */
const CHUNK_BYTES = 256 * 1024;

const contentTypes = { json: "application/json", jsonl: "application/x-ndjson" } as const;

const CHECK_EVERY_SECONDS = 1;
/** Checks before the file is written although ClickHouse is further behind; it then says that it is incomplete. */
const CHECKS_MAX = 60;

const progress = z.discriminatedUnion("phase", [
  z.object({ phase: z.literal("sinks"), marks: watermarksShape, looks: z.number() }),
  z.object({ phase: z.literal("write"), complete: z.boolean(), since: z.number().optional() }),
]);
type Progress = z.output<typeof progress>;
type Exporting = Work<JobInput<"ExportContactProfile">, Progress>;

interface Written extends WrittenFile {
  readonly kind: "written";
  readonly id: string;
  readonly counts: EntryCounts;
}

/**
 * Waits until ClickHouse has what was stored when the job began, writes the file, then its row: after a kill in between the same
 * file is written again under the same name. Everything the account knows of one contact stands in it; of one that is merged or
 * split meanwhile it is read again from the beginning.
 */
export const exportContactProfileJob = defineJobWithOutside<
  "ExportContactProfile",
  Progress,
  Written | TriedInVain | undefined
>({
  jobName: "ExportContactProfile",
  progress,
  outside: async (work, ports) => {
    if (work.progress?.phase !== "write") return undefined;
    const { since = work.nowMs } = work.progress;
    return tryForAnHour(() => writeOnce(work, ports), { since, nowMs: work.nowMs, signal: work.signal });
  },
  async step(work, transaction, written) {
    const at = work.progress;
    if (at?.phase === "write") return end(work, transaction, { at, written });
    if (at?.phase === "sinks") return follow(at, transaction);
    return { kind: "more", progress: { phase: "sinks", marks: await takeStreamWatermark(transaction), looks: 0 } };
  },
});

/** Writes the file here or to the destination. Undefined: the contact was merged or split meanwhile. */
async function writeOnce(work: Exporting, ports: JobPorts): Promise<Written | undefined> {
  const { jobId, account, input, signal } = work;
  const counts = noEntries();
  const known = await readKnown(input.contact, account, ports);
  // What is a contact's goes to another one when it is merged: the half that was read before is whose it was.
  const isStill = async () => isDeepStrictEqual((await readKnown(input.contact, account, ports)).person, known.person);
  const text = profileText(profileOf(known, ports), input.format, counts);
  const id = fileIdOf(jobId);
  if (input.destination === undefined) {
    const written = {
      kind: "written",
      id,
      counts,
      ...(await write(ports, { accountId: account.id, id }, text)),
    } as const;
    return (await isStill()) ? written : undefined;
  }
  const destination = openDestination(work, { storage: input.destination, name: "profile" }, ports);
  const name = sentNameOf(work);
  const sent = await sendProfile(destination, { name, text, isStill }, signal);
  return sent === undefined ? undefined : { kind: "written", id, counts, ...sent };
}

async function end(
  work: Exporting,
  transaction: Transaction,
  { at, written }: { at: Extract<Progress, { phase: "write" }>; written: Written | TriedInVain | undefined },
): Promise<StepEnd<Progress>> {
  if (written === undefined) return { kind: "more", progress: at };
  if (written.kind === "written") return keep(work, transaction, { written, complete: at.complete });
  return { kind: "wait", progress: { ...at, since: at.since ?? work.nowMs }, seconds: written.seconds };
}

async function follow(
  { marks, looks: checks }: Extract<Progress, { phase: "sinks" }>,
  transaction: Transaction,
): Promise<StepEnd<Progress>> {
  const now = await followStreamWatermark(transaction, marks);
  if (now === "passed") return { kind: "more", progress: { phase: "write", complete: true } };
  if (checks >= CHECKS_MAX) return { kind: "more", progress: { phase: "write", complete: false } };
  return { kind: "wait", progress: { phase: "sinks", marks: now, looks: checks + 1 }, seconds: CHECK_EVERY_SECONDS };
}

async function keep(
  { jobId, account, input, nowMs }: Exporting,
  transaction: Transaction,
  { written, complete }: { readonly written: Written; readonly complete: boolean },
): Promise<StepEnd<Progress>> {
  const { id, counts, bytes, sha256 } = written;
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const isSent = input.destination !== undefined;
  const name = isSent ? sentNameOf({ jobId, input }) : nameOf(input.contact, input.format);
  const manifest = { rows, entries: counts, complete, writtenAt: toTimestamp(nowMs) };
  const contentType = contentTypes[input.format];
  const described = { ...(!isSent && { id }), name, bytes, sha256 };
  const file = { ...described, id, account: account.number, job: jobId, contentType, manifest, createdAt: nowMs };
  if (!isSent) await insertFile(transaction, file);
  const counted = { totalItems: rows, completedItems: rows, result: { totalRecords: rows } };
  return { kind: "done", ...counted, metadata: { files: [{ ...described, ...manifest }] } };
}

/** Reads the contact's identity in one snapshot. */
function readKnown(cid: string, account: Account, { postgres }: JobPorts): Promise<Known> {
  const read = async (session: Session) => {
    const contact = await readContactByCid(session, account.number, cid);
    if (contact === undefined) throw gone();
    const [person, clears] = await Promise.all([personOf(session, contact), readClearsOf(session, account.number)]);
    return { person, contact, account, clears };
  };
  return postgres.transaction(read, { isSnapshot: true });
}

async function* profileOf(known: Known, { postgres, clickhouse }: JobPorts): AsyncGenerator<Entry> {
  const { person, clears } = known;
  yield* entriesOfState(postgres, known);
  yield* activitiesOf(clickhouse, person);
  yield* fieldChangesOf(clickhouse, person, clears);
  yield* listChangesOf(clickhouse, person);
}

async function write(
  { files }: JobPorts,
  key: { readonly accountId: string; readonly id: string },
  text: AsyncIterable<string>,
): Promise<WrittenFile> {
  try {
    return await files.write(key, text);
  } catch (error) {
    if (!(error instanceof FileTooLarge)) throw error;
    const publicMessage = `The profile is too large: ${error.message}.`;
    throw new HeadwaterError({ code: "PAYLOAD_TOO_LARGE", status: 413, publicMessage, cause: error });
  }
}

/** One file of a job, whoever writes it and however often. */
function fileIdOf(jobId: string): string {
  return hash("sha256", `${jobId}\nprofile`, "hex").slice(0, 24);
}

/** Returns a name that carries the job: others write to the same storage. */
function sentNameOf({ jobId, input }: Pick<Exporting, "jobId" | "input">): string {
  return `contact-${input.contact}-${jobId}.${input.format}`;
}

function nameOf(cid: string, format: ProfileFormat): string {
  return `contact-${cid}.${format}`;
}

function gone(): HeadwaterError {
  const publicMessage = "The contact no longer exists.";
  return new HeadwaterError({ code: "CONTACTS_CONTACT_NOT_FOUND", status: 404, publicMessage });
}

/**
 * Sends text to a destination outside as one file.
 * @param isStill asked before the file appears: false gives it up.
 * @returns undefined when it was given up.
 */
async function sendProfile(
  destination: Destination,
  { name, text, isStill }: { name: string; text: AsyncIterable<string>; isStill: () => Promise<boolean> },
  signal: AbortSignal,
): Promise<WrittenFile | undefined> {
  const upload = await destination.open(name, signal);
  const sum = createHash("sha256");
  let bytes = 0;
  try {
    for await (const chunk of inChunks(text)) {
      sum.update(chunk);
      bytes += chunk.length;
      await upload.write(chunk);
    }
    if (!(await isStill())) {
      await upload.abort();
      return undefined;
    }
    await upload.finish();
  } catch (error) {
    await upload.abort();
    throw error;
  }
  return { bytes, sha256: sum.digest("hex") };
}

async function* inChunks(text: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let buffered: string[] = [];
  let characters = 0;
  for await (const part of text) {
    buffered.push(part);
    characters += part.length;
    if (characters < CHUNK_BYTES) continue;
    yield Buffer.from(buffered.join(""));
    buffered = [];
    characters = 0;
  }
  if (characters > 0) yield Buffer.from(buffered.join(""));
}

export type ProfileFormat = "json" | "jsonl";

/** Number of entries written of each kind. */
type EntryCounts = Record<Entry["type"], number>;

export function noEntries(): EntryCounts {
  return {
    contact: 0,
    list: 0,
    order: 0,
    cart: 0,
    supplementRecord: 0,
    merge: 0,
    activity: 0,
    change: 0,
    listChange: 0,
  };
}

/**
 * The entries as text: one JSON object a line, or one object with a list of each kind. Counts what it writes.
 * @param entries grouped by kind, in the order of ENTRY_TYPES.
 */
export async function* profileText(
  entries: AsyncIterable<Entry>,
  format: ProfileFormat,
  counts: EntryCounts,
): AsyncGenerator<string> {
  if (format === "jsonl") {
    for await (const entry of entries) {
      counts[entry.type] += 1;
      yield `${JSON.stringify(entry)}\n`;
    }
    return;
  }
  let open = -1;
  for await (const { type, data } of entries) {
    const index = ENTRY_TYPES.indexOf(type);
    yield index === open ? "," : opening(open, index);
    open = index;
    counts[type] += 1;
    yield JSON.stringify(data);
  }
  yield `${opening(open, ENTRY_TYPES.length).slice(0, -1)}}\n`;
}

/** Closes the list that is open and begins those up to the next one; lists in between are empty. */
function opening(open: number, next: number): string {
  const begun = open < 0 ? "{" : "],";
  const empty = ENTRY_TYPES.slice(open + 1, next).map((type) => `${JSON.stringify(type)}:[],`);
  const own = ENTRY_TYPES[next];
  return `${begun}${empty.join("")}${own === undefined ? "" : `${JSON.stringify(own)}:[`}`;
}
