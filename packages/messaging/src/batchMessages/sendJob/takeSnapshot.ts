import { storedCriteria } from "@headwater/analytics/exports/contacts/stageContacts";
import { unlessLost } from "@headwater/analytics/exports/stagingTable";
import type { JobInput } from "@headwater/contracts";
import type { JobPorts, Work } from "@headwater/jobs/runner/jobKind";
import type { StreamWatermark } from "@headwater/postgres/outbox/streamWatermarks";
import { type AudiencePage, fillAudience, readAudiencePage } from "../../jobs/audiencePages.ts";
import { type HeldContact, readHeldContacts } from "../heldSends.ts";
import { readOldChunks, type SendChunk } from "../sendChunks.ts";
import type { SendingMessage } from "../startMessages.ts";
import { followStored } from "./followStored.ts";
import type { SendProgress } from "./progress.ts";

/** Chunks of an earlier snapshot that are gone through at a time. */
const OLD_CHUNKS = 20;
/** Wanted sends from before a pause that are gone through at a time. */
const HELD_SENDS = 5_000;

/** Part of the audience that was read outside of the step's transaction. */
export type SeenAudience =
  /** ClickHouse lacks contacts, attributes or lists that were stored before the snapshot was begun. */
  | { readonly kind: "behind"; readonly of: number; readonly marks: StreamWatermark }
  | { readonly kind: "filled"; readonly table: string; readonly of: number }
  | {
      readonly kind: "old";
      readonly of: number;
      readonly chunks: readonly SendChunk[];
      /** Contacts of the chunks that are in the audience still. */
      readonly staying: ReadonlySet<number>;
    }
  /** Wanted sends from before a pause; none when all have been gone through. */
  | {
      readonly kind: "held";
      readonly of: number;
      readonly held: readonly HeldContact[];
      readonly staying: ReadonlySet<number>;
    }
  | ({ readonly kind: "page"; readonly of: number } & AudiencePage);

export type SendWork = Work<JobInput<"SendBatchMessage">, SendProgress>;

/**
 * Reads the next part of the audience of a message whose snapshot is not whole yet.
 * @returns undefined when ClickHouse has lost the snapshot, so that another one is to be taken.
 */
export async function takeSnapshot(
  work: SendWork,
  message: SendingMessage,
  ports: JobPorts,
): Promise<SeenAudience | undefined> {
  const { progress } = work;
  if (progress?.phase !== "clear" && progress?.phase !== "chunks") return fill(work, message, ports);
  if (progress.of !== message.updatedAt) return fill(work, message, ports);
  return unlessLost(progress.phase === "clear" ? readOld(work, progress, ports) : readPage(work, progress, ports));
}

/** Fills a table with the audience at one instant, once ClickHouse has everything that was stored before. */
async function fill(work: SendWork, { node, updatedAt }: SendingMessage, ports: JobPorts): Promise<SeenAudience> {
  const { signal, progress } = work;
  const begun = progress?.phase === "snapshot" && progress.stored?.of === updatedAt ? progress.stored.marks : undefined;
  const marks = await followStored(begun, signal, ports);
  if (marks !== "passed") return { kind: "behind", of: updatedAt, marks };
  const criteria: unknown = JSON.parse(node ?? "null");
  const table = await fillAudience(storedCriteria.parse(criteria), work, ports);
  return { kind: "filled", table, of: updatedAt };
}

type At<Phase> = Extract<SendProgress, { readonly phase: Phase }>;

async function readOld(work: SendWork, progress: At<"clear">, ports: JobPorts): Promise<SeenAudience> {
  const { table, of, first } = progress;
  const key = { account: work.account.number, id: work.input.message };
  const chunks = await readOldChunks(ports.postgres, { ...key, below: first, rowsMax: OLD_CHUNKS });
  if (chunks.length > 0) {
    const contacts = chunks.flatMap((chunk) => chunk.contacts);
    return { kind: "old", of, chunks, staying: await stayingOf(contacts, { table, work, ports }) };
  }
  const held = await readHeldContacts(ports.postgres, { ...key, rowsMax: HELD_SENDS });
  const people = held.map(({ person }) => person);
  return { kind: "held", of, held, staying: await stayingOf(people, { table, work, ports }) };
}

interface Staying {
  readonly table: string;
  readonly work: SendWork;
  readonly ports: Pick<JobPorts, "clickhouse">;
}

/** Returns those of some contacts that are in the audience of a table. */
async function stayingOf(
  contacts: readonly number[],
  { table, work: { signal }, ports: { clickhouse } }: Staying,
): Promise<Set<number>> {
  if (contacts.length === 0) return new Set();
  const sql = `SELECT contact FROM ${table} WHERE contact IN {contacts: Array(UInt64)}`;
  const rows = await clickhouse.query<{ contact: number }>(sql, { contacts }, { signal });
  return new Set(rows.map(({ contact }) => contact));
}

async function readPage(
  work: SendWork,
  { table, of, after }: At<"chunks">,
  ports: Pick<JobPorts, "clickhouse">,
): Promise<SeenAudience> {
  return { kind: "page", of, ...(await readAudiencePage({ table, after }, work, ports)) };
}
