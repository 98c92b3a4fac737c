import { toTimestamp } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import { type Clock, newJobId, overShare } from "@headwater/kernel";
import { type FileKey, FileTooLarge } from "@headwater/stores/files";
import {
  countUpload,
  deleteUpload,
  insertUpload,
  lockUnfinishedUpload,
  readUploadedBytes,
  type Upload,
  type UploadLimits,
} from "@headwater/stores/imports";
import type { Postgres } from "@headwater/stores/postgres";
import { type OnceCall, runOnce } from "../../idempotency/runOnce.ts";
import type { ServicePorts } from "../../ports.ts";
import { expectDigest } from "./digest.ts";

export const UPLOAD_BYTES_MAX = 10 * 1024 ** 3;
/** Limit of an account's uploads, with what its running imports keep. */
const KEPT_BYTES_MAX = 100 * 1024 ** 3;
/** Limit of the bytes of an account that all service processes together are receiving. */
const UNDER_WAY_BYTES_MAX = UPLOAD_BYTES_MAX;
const LIMITS: UploadLimits = { keptMax: KEPT_BYTES_MAX, underWayMax: UNDER_WAY_BYTES_MAX };
/** Bytes that come between two counts, and the longest time between two chunks of which both are counted. */
const COUNTED_BYTES = 16 * 1024 ** 2;
const COUNTED_MS = 15_000;
/** Uploads of one account that this process receives at a time. */
const AT_A_TIME = 4;
const UNUSED_KEPT_MS = 7 * 86_400_000;

export interface UploadCall {
  readonly name: string | undefined;
  /** Hex. */
  readonly expected: string | undefined;
  readonly stream: AsyncIterable<Buffer>;
  /** Its body is filled in when it has come. */
  readonly once: Omit<OnceCall, "body">;
}

type Ports = Pick<ServicePorts, "clock" | "files" | "postgres">;

/** Receives uploads, a few of each account at a time. */
export function createReceiver(ports: Ports) {
  const receiving = new Map<number, number>();
  return async (call: UploadCall): Promise<Answer> => {
    const { number } = call.once.caller.account;
    const before = receiving.get(number) ?? 0;
    if (before >= AT_A_TIME) throw overShare("uploads");
    receiving.set(number, before + 1);
    try {
      return await receive(call, ports);
    } finally {
      const left = (receiving.get(number) ?? 1) - 1;
      if (left > 0) receiving.set(number, left);
      else receiving.delete(number);
    }
  };
}

/** The row comes before the bytes, so that nothing stays on the disk without a row; it says nothing until they are there. */
async function receive(call: UploadCall, { clock, files, postgres }: Ports): Promise<Answer> {
  const { name, expected, stream, once } = call;
  const { account } = once.caller;
  const kept = await readUploadedBytes(postgres, account.number);
  if (kept >= KEPT_BYTES_MAX) throw tooMuchKept();
  const key = { accountId: account.id, id: newJobId() };
  const createdAt = clock.nowMs();
  const row = { id: key.id, account: account.number, name: name ?? null, job: null, isCopy: false, createdAt };
  await insertUpload(postgres, { ...row, bytes: 0, sha256: "" });
  let isKept = false;
  try {
    const bytesMax = Math.min(UPLOAD_BYTES_MAX, KEPT_BYTES_MAX - kept);
    const coming = counted(stream, clock, (bytes) => countOrRefuse(postgres, { ...row, bytes }));
    const written = await files.write(key, coming, { bytesMax }).catch((error: unknown) => {
      throw error instanceof FileTooLarge ? tooMuchKept() : error;
    });
    expectDigest(expected, written.sha256);
    const answer = await runOnce(postgres, { ...once, body: [written.sha256, name ?? null] }, async (transaction) => {
      await insertUpload(transaction, { ...row, ...written });
      const expiresAt = toTimestamp(createdAt + UNUSED_KEPT_MS);
      const body = { id: key.id, url: `upload:${key.id}`, ...written, expiresAt };
      return { answer: { status: 201, body }, kept: body };
    });
    // A repeat under its Idempotency-Key is answered with the first one's, and kept once.
    isKept = answer.headers?.["Idempotency-Replayed"] === undefined;
    return answer;
  } finally {
    if (!isKept) await removeUnfinished({ files, postgres }, key, row);
  }
}

/** Passes chunks on, and has what came counted now and then. */
async function* counted(
  stream: AsyncIterable<Buffer>,
  clock: Clock,
  count: (bytes: number) => Promise<void>,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  let countedBytes = 0;
  let countedAtMs = clock.monotonicMs();
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes - countedBytes >= COUNTED_BYTES || clock.monotonicMs() - countedAtMs >= COUNTED_MS) {
      await count(bytes);
      countedBytes = bytes;
      countedAtMs = clock.monotonicMs();
    }
    yield chunk;
  }
}

async function countOrRefuse(postgres: Postgres, upload: Pick<Upload, "account" | "id" | "bytes">): Promise<void> {
  const passed = await countUpload(postgres, upload, LIMITS);
  if (passed === "keptMax") throw tooMuchKept();
  if (passed === "underWayMax") throw overShare("bytes of uploads");
}

/**
 * A commit whose answer was lost may have kept the upload: only what no row shows as received is removed, the file before its row, so
 * that a kill between leaves a row that expires.
 */
async function removeUnfinished(
  { files, postgres }: Pick<Ports, "files" | "postgres">,
  key: FileKey,
  row: Pick<Upload, "account" | "id">,
): Promise<void> {
  await postgres.transaction(async (transaction) => {
    if (!(await lockUnfinishedUpload(transaction, row))) return;
    await files.remove(key);
    await deleteUpload(transaction, row);
  });
}

function tooMuchKept() {
  const message = `The account keeps ${KEPT_BYTES_MAX} bytes of uploads. They go 24 hours after their import, or after 7 days unused.`;
  return refusal("PAYLOAD_TOO_LARGE", message, { extra: { limit: { what: "bytes", max: KEPT_BYTES_MAX } } });
}
