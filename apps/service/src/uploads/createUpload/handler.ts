import { toTimestamp } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import { newJobId, overShare } from "@headwater/kernel";
import type { FileKey } from "@headwater/stores/files";
import {
  deleteUpload,
  insertUpload,
  lockUnfinishedUpload,
  readUploadedBytes,
  type Upload,
} from "@headwater/stores/imports";
import { type OnceCall, runOnce } from "../../idempotency/runOnce.ts";
import type { ServicePorts } from "../../ports.ts";
import { expectDigest } from "./digest.ts";

export const UPLOAD_BYTES_MAX = 10 * 1024 ** 3;
/** Limit of an account's uploads together, with those on their way and what its running imports keep. */
const ACCOUNT_BYTES_MAX = 10 * 1024 ** 3;
/** Uploads end by themselves within hours or days: to come back sooner than in a minute is of no use. */
const RETRY_AFTER_SECONDS = 60;
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

/** Uploads of one account that this process receives now. */
interface Receiving {
  uploads: number;
  /** Bytes of those that have not ended. */
  unfinishedBytes: number;
  /** Bytes of those and of the ones that ended while others went on. */
  receivedBytes: number;
}

/** Receives uploads, a few of each account at a time. */
export function createReceiver(ports: Ports) {
  const receiving = new Map<number, Receiving>();
  return async (call: UploadCall): Promise<Answer> => {
    const { number } = call.once.caller.account;
    const own = receiving.get(number) ?? { uploads: 0, unfinishedBytes: 0, receivedBytes: 0 };
    if (own.uploads >= AT_A_TIME) throw overShare("uploads");
    own.uploads += 1;
    receiving.set(number, own);
    try {
      return await receive(call, own, ports);
    } finally {
      own.uploads -= 1;
      if (own.uploads === 0) receiving.delete(number);
    }
  };
}

/**
 * Passes an upload's bytes on while its account's uploads stay within their limit.
 * @param keptBytes of the uploads that were stored when it began.
 * @throws HeadwaterError 429 for the byte that passes the limit.
 */
async function* withinLimit(stream: AsyncIterable<Buffer>, own: Receiving, keptBytes: number) {
  const before = keptBytes + own.unfinishedBytes - own.receivedBytes;
  let bytes = 0;
  let isWhole = false;
  try {
    for await (const chunk of stream) {
      bytes += chunk.length;
      own.unfinishedBytes += chunk.length;
      own.receivedBytes += chunk.length;
      if (before + own.receivedBytes > ACCOUNT_BYTES_MAX) throw tooMuchKept();
      yield chunk;
    }
    isWhole = true;
  } finally {
    own.unfinishedBytes -= bytes;
    if (!isWhole) own.receivedBytes -= bytes;
  }
}

/** The row comes before the bytes, so that nothing stays on the disk without a row; it says nothing until they are there. */
async function receive(call: UploadCall, own: Receiving, { clock, files, postgres }: Ports): Promise<Answer> {
  const { name, expected, stream, once } = call;
  const { account } = once.caller;
  const kept = await readUploadedBytes(postgres, account.number);
  if (kept >= ACCOUNT_BYTES_MAX) throw tooMuchKept();
  const key = { accountId: account.id, id: newJobId() };
  const createdAt = clock.nowMs();
  const row = { id: key.id, account: account.number, name: name ?? null, job: null, isCopy: false, createdAt };
  await insertUpload(postgres, { ...row, bytes: 0, sha256: "" });
  let isKept = false;
  try {
    const written = await files.write(key, withinLimit(stream, own, kept), { bytesMax: UPLOAD_BYTES_MAX });
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
  const message = `The account's uploads may have ${ACCOUNT_BYTES_MAX} bytes together. They are deleted 24 hours after their import, or after 7 days unused.`;
  return refusal("RATE_LIMITED", message, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    extra: { limit: { what: "bytes", max: ACCOUNT_BYTES_MAX } },
  });
}
