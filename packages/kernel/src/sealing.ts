import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { readFileSync } from "node:fs";
import { HeadwaterError } from "./errors.ts";

/** Encrypts what must be kept and given back: AES-256-GCM under the first of its keys; every one of them opens. */
export interface Sealer {
  /** @param context what the text belongs to: it opens nowhere else. */
  seal(text: string, context: string): string;
  /** @throws HeadwaterError `CONFIG_INVALID` when no key opens it, the context is another one, or it was changed. */
  open(sealed: string, context: string): string;
  /** False for a text that was sealed under a key that is no longer the first. */
  isCurrent(sealed: string): boolean;
  /** Returns a secret that follows from the first key and the context: nothing has to be stored for it. */
  tokenOf(context: string): string;
  /** True for the token of the context under any of the keys. */
  isTokenOf(context: string, token: string): boolean;
}

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_HEX = /^[0-9a-f]{64}$/i;
const KEYS_MAX = 8;
const SEALED = /^v1\.([0-9a-f]{8})\.([A-Za-z0-9_-]+)$/;

/** @param keys of 32 bytes each; at least one. */
export function createSealer(keys: readonly Buffer[]): Sealer {
  const byId = new Map(keys.map((key) => [idOf(key), key]));
  const [first] = keys;
  if (first === undefined) throw new RangeError("a sealer has at least one key");
  const currentId = idOf(first);
  return {
    seal(text, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, first, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(context));
      const bytes = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return `v1.${currentId}.${bytes.toString("base64url")}`;
    },
    open(sealed, context) {
      const [, id = "", text = ""] = SEALED.exec(sealed) ?? [];
      const key = byId.get(id);
      if (key === undefined) throw unopened("no key of that id");
      return decrypt(Buffer.from(text, "base64url"), key, context);
    },
    isCurrent: (sealed) => SEALED.exec(sealed)?.[1] === currentId,
    tokenOf: (context) => tokenUnder(first, context).toString("base64url"),
    isTokenOf: (context, token) => keys.some((key) => isTokenUnder(key, context, token)),
  };
}

function tokenUnder(key: Buffer, context: string): Buffer {
  const derived = Buffer.from(hkdfSync("sha256", key, "", "headwater token", key.length));
  return createHmac("sha256", derived).update(context).digest();
}

function isTokenUnder(key: Buffer, context: string, token: string): boolean {
  const own = Buffer.from(tokenUnder(key, context).toString("base64url"));
  const input = Buffer.from(token.slice(0, own.length + 1));
  return input.length === own.length && timingSafeEqual(own, input);
}

function decrypt(bytes: Buffer, key: Buffer, context: string): string {
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(-TAG_BYTES);
  try {
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch (error) {
    throw unopened(error);
  }
}

/** Reads the sealer of `HEADWATER_SETTINGS_KEY_FILE`. @throws HeadwaterError like `readSettingsKeys`. */
export function readSealer(path: string | undefined): Sealer | undefined {
  const keys = readSettingsKeys(path);
  return keys && createSealer(keys);
}

/**
 * Reads the keys of `HEADWATER_SETTINGS_KEY_FILE`: a line of 64 hex digits each, the one that seals first.
 * @throws HeadwaterError `CONFIG_INVALID`, without what stands in the file.
 */
export function readSettingsKeys(path: string | undefined): readonly Buffer[] | undefined {
  if (path === undefined) return undefined;
  const lines = readFileSync(path, "utf8")
    .split(/\s+/)
    .filter((line) => line !== "");
  if (lines.length === 0 || lines.length > KEYS_MAX || !lines.every((line) => KEY_HEX.test(line))) {
    throw invalid(`HEADWATER_SETTINGS_KEY_FILE must hold 1 to ${KEYS_MAX} lines of 64 hex digits.`);
  }
  return lines.map((line) => Buffer.from(line, "hex"));
}

/** Distinguishes keys without revealing them. */
function idOf(key: Buffer): string {
  return createHash("sha256").update("headwater settings key").update(key).digest("hex").slice(0, 8);
}

function unopened(cause: unknown): HeadwaterError {
  return invalid("A stored secret cannot be opened with the keys in HEADWATER_SETTINGS_KEY_FILE.", cause);
}

function invalid(publicMessage: string, cause?: unknown): HeadwaterError {
  return new HeadwaterError({ code: "CONFIG_INVALID", status: 500, publicMessage, cause });
}
