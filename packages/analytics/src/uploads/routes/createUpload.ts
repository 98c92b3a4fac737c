import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import { storableText } from "@headwater/api/paging/query";
import { toTimestamp } from "@headwater/contracts";
import { type Answer, defineStreamRoute, type Route, refusal } from "@headwater/http";
import { type FileKey, FileTooLarge } from "@headwater/jobs/files/fileStore";
import {
  countUpload,
  deleteUpload,
  insertUpload,
  lockUnfinishedUpload,
  readUploadedBytes,
  type Upload,
  type UploadLimits,
} from "@headwater/jobs/uploads/uploads";
import { type Clock, newJobId, overShare } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";

const NAME_CHARACTERS_MAX = 255;

const query = z.strictObject({ name: storableText(NAME_CHARACTERS_MAX).optional() });

const headers = z.object({
  "Repr-Digest": z
    .string()
    .optional()
    .meta({ description: "`sha-256=:<base64>:`. A body with another checksum is refused." }),
  "Idempotency-Key": z
    .string()
    .max(255)
    .optional()
    .meta({ description: "A retry with the same key and the same bytes gets the first response." }),
});

const uploadAnswer = z.strictObject({
  id: z.string(),
  /** Value for an import's `source.path`. */
  url: z.string(),
  bytes: z.number().int(),
  /** Hex. */
  sha256: z.string(),
  expiresAt: z.string(),
});

const uploadExample = {
  id: "65f0c0ffee65f0c0ffee0001",
  url: "upload:65f0c0ffee65f0c0ffee0001",
  bytes: 48_213,
  sha256: "27c965a4110f97162bc6c0d4a35857c3165747e656b88b14d45469a148390a75",
  expiresAt: "2026-01-16T22:47:12.000Z",
};

const SHA_256 = /^sha-256=:([A-Za-z0-9+/]{43}=):$/i;
/** A member of the header: the name of an algorithm, and a digest of it. */
const DIGEST = /^[a-z*][a-z0-9_\-.*]*=:[A-Za-z0-9+/]+={0,2}:$/i;

/**
 * Reads the SHA-256 of `Repr-Digest` (RFC 9530); well-formed digests of other algorithms are passed over.
 * @returns hex, undefined when the header names none. @throws HeadwaterError 422 for one that cannot be read.
 */
export function readDigest(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const input = header.split(",").map((part) => part.split(";")[0]?.trim() ?? "");
  const sha256 = input.find((part) => /^sha-256\s*=/i.test(part));
  const [, digest] = SHA_256.exec(sha256 ?? "") ?? [];
  const isRead = input.every((part) => DIGEST.test(part)) && (sha256 === undefined || digest !== undefined);
  if (!isRead) throw wrongDigest("`Repr-Digest` must be `sha-256=:<base64>:`. Nothing was kept.");
  if (digest === undefined) return undefined;
  return Buffer.from(digest, "base64").toString("hex");
}

/** @throws HeadwaterError 422 when the bytes that came have another checksum. */
function expectDigest(expected: string | undefined, sha256: string): void {
  if (expected !== undefined && expected !== sha256)
    throw wrongDigest("The body does not have the checksum of `Repr-Digest`. Nothing was kept.");
}

function wrongDigest(message: string) {
  return refusal("VALIDATION_ERROR", message, { details: [{ path: "", code: "bad_value", message }] });
}

const UPLOAD_BYTES_MAX = 10 * 1024 ** 3;
/** Limit of an account's uploads, with what its running imports keep. */
const STORED_BYTES_MAX = 100 * 1024 ** 3;
/** Limit of the bytes of an account that all service processes together are receiving. */
const UNDER_WAY_BYTES_MAX = UPLOAD_BYTES_MAX;
const LIMITS: UploadLimits = { keptMax: STORED_BYTES_MAX, underWayMax: UNDER_WAY_BYTES_MAX };
/** Bytes that come between two counts, and the longest time between two chunks of which both are counted. */
const COUNTED_BYTES = 16 * 1024 ** 2;
const COUNTED_MS = 15_000;
/** Uploads of one account that this process receives at a time. */
const AT_A_TIME = 4;
const UNUSED_RETENTION_MS = 7 * 86_400_000;

interface UploadCall {
  readonly name: string | undefined;
  /** Hex. */
  readonly expected: string | undefined;
  readonly stream: AsyncIterable<Buffer>;
  /** Its body is filled in when it has come. */
  readonly once: Omit<OnceCall, "body">;
}

type Ports = Pick<RoutePorts, "clock" | "files" | "postgres">;

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
  const stored = await readUploadedBytes(postgres, account.number);
  if (stored >= STORED_BYTES_MAX) throw tooMuchStored();
  const key = { accountId: account.id, id: newJobId() };
  const createdAt = clock.nowMs();
  const row = { id: key.id, account: account.number, name: name ?? null, job: null, isCopy: false, createdAt };
  await insertUpload(postgres, { ...row, bytes: 0, sha256: "" });
  let isStored = false;
  try {
    const bytesMax = Math.min(UPLOAD_BYTES_MAX, STORED_BYTES_MAX - stored);
    const coming = counted(stream, clock, (bytes) => countOrRefuse(postgres, { ...row, bytes }));
    const written = await files.write(key, coming, { bytesMax }).catch((error: unknown) => {
      throw error instanceof FileTooLarge ? tooMuchStored() : error;
    });
    expectDigest(expected, written.sha256);
    const answer = await runOnce(postgres, { ...once, body: [written.sha256, name ?? null] }, async (transaction) => {
      await insertUpload(transaction, { ...row, ...written });
      const expiresAt = toTimestamp(createdAt + UNUSED_RETENTION_MS);
      const body = { id: key.id, url: `upload:${key.id}`, ...written, expiresAt };
      return { answer: { status: 201, body }, kept: body };
    });
    // A repeat under its Idempotency-Key is answered with the first one's, and kept once.
    isStored = answer.headers?.["Idempotency-Replayed"] === undefined;
    return answer;
  } finally {
    if (!isStored) await removeUnfinished({ files, postgres }, key, row);
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
  if (passed === "keptMax") throw tooMuchStored();
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

function tooMuchStored() {
  const message = `The account keeps ${STORED_BYTES_MAX} bytes of uploads. They go 24 hours after their import, or after 7 days unused.`;
  return refusal("PAYLOAD_TOO_LARGE", message, { extra: { limit: { what: "bytes", max: STORED_BYTES_MAX } } });
}

const SUMMARY = "Uploads a file for an import.";

export function createUpload(ports: Pick<RoutePorts, "clock" | "files" | "postgres">): Route {
  const receive = createReceiver(ports);
  const route = defineStreamRoute({
    method: "POST",
    path: "/v2/uploads",
    operationId: "createUpload",
    summary: SUMMARY,
    description:
      'The body is the file\'s bytes, of any content type and up to 10 GiB, also in chunks. An import takes it as `source: {transport: "file", path: <url>}`. It is kept until 24 hours after its import, and for 7 days while no import takes it. A body that breaks off leaves nothing.',
    tags: ["uploads"],
    answers: {
      201: { description: "The file is stored.", schema: uploadAnswer, example: uploadExample },
      422: {
        description:
          "VALIDATION_ERROR: the bytes do not have the checksum of `Repr-Digest`, or it cannot be read. Nothing is kept.",
      },
    },
    auth: "basic",
    scope: "uploads:write",
    rateClass: "write",
    bytesMax: UPLOAD_BYTES_MAX,
    query,
    headers,
    handler: (call, { caller, query: { name } }) => {
      const { requestId, stream, receivedAtMs: at, clientAddress: ip } = call;
      const expected = readDigest(call.header("repr-digest"));
      const key = call.header("idempotency-key");
      const logged = {
        category: "API",
        action: "createUpload",
        message: SUMMARY,
        target: "id",
        params: {},
        ip,
        at,
      } as const;
      return receive({ name, expected, stream, once: { key, caller, route: "POST /v2/uploads", requestId, logged } });
    },
  });
  // What it would answer with are the bytes that it stores.
  return { ...route, dryRun: { class: "none" } };
}
