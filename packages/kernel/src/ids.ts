import { createHmac, hash, randomFillSync } from "node:crypto";

/** Digits in ASCII order, so that ids that begin with an encoded time sort by it as plain text. */
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 62^7 milliseconds reach into the year 2081. */
const TIME_CHARS = 7;
/** 13 characters of base62 are 77 bits. */
const REQUEST_RANDOM_CHARS = 13;
/** 40 characters of base62 are 238 bits. */
const API_KEY_CHARS = 40;
/** Bytes at or above this are drawn again, so that every character is equally likely (4 x 62). */
const BASE62_BYTE_LIMIT = 248;

/**
 * An id for a request: 20 url-safe characters (base62), of which the first 7 are the time, so that later ids sort after
 * earlier ones (to the millisecond), and 13 are random.
 */
export function newRequestId(nowMs: number = Date.now()): string {
  return encodeTime(nowMs) + randomBase62(REQUEST_RANDOM_CHARS);
}

/** An account's id: 24 random hex characters. */
export function newAccountId(): string {
  const from = takeRandom(12);
  return pool.toString("hex", from, from + 12);
}

/** A job's id: 24 random hex characters. */
export function newJobId(): string {
  const from = takeRandom(12);
  return pool.toString("hex", from, from + 12);
}

/** A saved audience's id: 24 random hex characters. */
export function newAudienceId(): string {
  return newJobId();
}

/** A program's id: 24 random hex characters. */
export function newProgramId(): string {
  return newJobId();
}

/** The id of an orchestration or of one of its versions: 24 random hex characters. */
export function newOrchestrationId(): string {
  return newJobId();
}

/** A data job's daId: 24 random hex characters. */
export function newDataJobId(): string {
  return newJobId();
}

/** A message transport's id: 24 random hex characters. */
export function newTransportId(): string {
  return newJobId();
}

/** An alert's id: 24 random hex characters. */
export function newAlertId(): string {
  return newJobId();
}

/** A webhook's id: 24 random hex characters. */
export function newWebhookId(): string {
  return newJobId();
}

/** A suppression's id: 24 random hex characters. */
export function newSuppressionId(): string {
  return newJobId();
}

/** The id of a call that wants sends: 24 random hex characters. */
export function newWantId(): string {
  return newJobId();
}

const WANT_ID_CHARACTERS = 24;

/** The id of a want that follows from its occasion: it is the same whenever the occasion is met again. */
export function wantIdOf(...occasion: readonly (string | number)[]): string {
  return hash("sha256", JSON.stringify(occasion), "hex").slice(0, WANT_ID_CHARACTERS);
}

/** A template's `mdtID`: 24 random hex characters. */
export function newTemplateId(): string {
  return newJobId();
}

/** A batch message's id: 24 random hex characters. */
export function newBatchMessageId(): string {
  return newJobId();
}

/** A new API key, `hw_` and 40 random base62 characters. It is shown once; only its hash is stored. */
export function newApiKey(): string {
  return `hw_${randomBase62(API_KEY_CHARS)}`;
}

/** Returns what is stored of an API key: its sha256 in hex. The key has 238 bits of entropy, so no salt or slow hash is needed. */
export function hashApiKey(key: string): string {
  return hash("sha256", key, "hex");
}

/** A contact's id, the first 24 hex of sha256(account, newline, record that created it): a replay makes the same one. */
export function contactIdOf(accountId: string, recordId: string): string {
  return hash("sha256", `${accountId}\n${recordId}`, "hex").slice(0, 24);
}

/** The id of a supplement record that came without one, 24 hex of account and intake record: a replay makes the same one. */
export function supplementRecordIdOf(accountId: string, recordId: string): string {
  return hash("sha256", `${accountId}\nsupplement\n${recordId}`, "hex").slice(0, 24);
}

/**
 * Returns what is kept of an identifier of somebody who was erased: enough to know it again, and nothing to read it from, nor to try
 * addresses on without the installation's secret. The inner hash is what was kept before there was one.
 */
export function erasedHashOf(
  secret: Buffer,
  accountId: string,
  { name, value }: { readonly name: string; readonly value: string },
): string {
  const plain = hash("sha256", `${accountId}\nerased\n${name}\n${value}`, "hex");
  return createHmac("sha256", secret).update(plain).digest("hex");
}

/** The same of an identifier that the person had before, and that is or may be another's since: alone it erases no record. */
export function formerHashOf(
  secret: Buffer,
  accountId: string,
  { name, value }: { readonly name: string; readonly value: string },
): string {
  return erasedHashOf(secret, accountId, { name: `former\n${name}`, value });
}

/** Returns whether a secret is the one that erased identifiers were hashed with, and nothing of it. */
export function erasureCheckOf(secret: Buffer): string {
  return createHmac("sha256", secret).update("headwater erasure secret").digest("hex");
}

function encodeTime(nowMs: number): string {
  let rest = Math.floor(nowMs);
  let text = "";
  for (let index = 0; index < TIME_CHARS; index += 1) {
    text = BASE62.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    const byte = pool.readUInt8(takeRandom(1));
    if (byte < BASE62_BYTE_LIMIT) {
      text += BASE62.charAt(byte % 62);
    }
  }
  return text;
}

// One call into the kernel's random source for some hundred ids: a call for each costs more than all else of a small request.
const pool = Buffer.alloc(8192);
let poolUsed = pool.length;

/** Reserves `count` fresh random bytes of the pool and says where they begin. No byte is handed out twice. */
function takeRandom(count: number): number {
  if (poolUsed + count > pool.length) {
    randomFillSync(pool);
    poolUsed = 0;
  }
  const from = poolUsed;
  poolUsed += count;
  return from;
}
