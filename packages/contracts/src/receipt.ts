import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";

/** A request's records in one partition: first and last (offset, position), and their number. */
export interface ReceiptPart {
  readonly lane: number;
  readonly partition: number;
  readonly firstOffset: number;
  readonly firstPlace: number;
  readonly lastOffset: number;
  readonly lastPlace: number;
  readonly count: number;
  /** The broker's append time of the last of them, milliseconds since 1970; not known of older receipts. */
  readonly appendedAt?: number | undefined;
}

/** Everything needed to follow accepted work to its end; costs nothing to store. */
export interface Receipt {
  readonly requestId: string;
  readonly accountId: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  /** Time when the log had all of it, by the clock of the process that wrote it; older receipts lack it. */
  readonly ackedAt?: number | undefined;
  readonly parts: readonly ReceiptPart[];
}

const int = z.number().int().nonnegative();
const wire = z.strictObject({
  r: z.string().max(64),
  a: z.string().max(24),
  t: int,
  k: int.optional(),
  p: z.array(z.tuple([int, int, int, int, int, int, int]).rest(int)).max(1024),
});

const MAC_BYTES = 16;

/** Opaque, url-safe, and no one else can make one: base64url(JSON) + "." + base64url(HMAC-SHA256, first 16 bytes). */
export function sealReceipt(receipt: Receipt, secret: string): string {
  const parts = receipt.parts.map((part) => [
    part.lane,
    part.partition,
    part.firstOffset,
    part.firstPlace,
    part.lastOffset,
    part.lastPlace,
    part.count,
    ...(part.appendedAt === undefined ? [] : [part.appendedAt]),
  ]);
  const text = JSON.stringify({
    r: receipt.requestId,
    a: receipt.accountId,
    t: receipt.receivedAt,
    k: receipt.ackedAt,
    p: parts,
  });
  const body = Buffer.from(text).toString("base64url");
  return `${body}.${mac(body, secret).toString("base64url")}`;
}

/** @returns undefined for a receipt that is malformed or was not made with this secret. */
export function openReceipt(token: string, secret: string): Receipt | undefined {
  const dot = token.indexOf(".");
  if (dot < 1 || token.length > 65_536) return undefined;
  const body = token.slice(0, dot);
  const input = Buffer.from(token.slice(dot + 1), "base64url");
  if (input.length !== MAC_BYTES || !timingSafeEqual(input, mac(body, secret))) return undefined;
  const parsed = wire.safeParse(JSON.parse(Buffer.from(body, "base64url").toString("utf8")));
  if (!parsed.success) return undefined;
  return {
    requestId: parsed.data.r,
    accountId: parsed.data.a,
    receivedAt: parsed.data.t,
    ...(parsed.data.k !== undefined && { ackedAt: parsed.data.k }),
    parts: parsed.data.p.map(toPart),
  };
}

function toPart(tuple: z.infer<typeof wire>["p"][number]): ReceiptPart {
  const [stream, partition, firstOffset, firstPosition, lastOffset, lastPosition, count, appendedAt] = tuple;
  const part = {
    lane: stream,
    partition,
    firstOffset,
    firstPlace: firstPosition,
    lastOffset,
    lastPlace: lastPosition,
    count,
  };
  return appendedAt === undefined ? part : { ...part, appendedAt };
}

function mac(body: string, secret: string): Buffer {
  return createHmac("sha256", secret).update(body).digest().subarray(0, MAC_BYTES);
}
