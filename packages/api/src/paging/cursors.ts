import { createHmac, timingSafeEqual } from "node:crypto";
import type { z } from "zod";

/** The list a cursor goes on in; a cursor of one is good in no other. */
export interface CursorScope {
  /** The account's number. */
  readonly account: number;
  readonly list: string;
  readonly direction: "asc" | "desc";
}

/** Cursors of all lists: opaque, and nobody else can make one. */
export interface Cursors {
  /** @param key of the last row of a page, as JSON keeps it. */
  seal(scope: CursorScope, key: unknown): string;
  /** @returns undefined for a cursor that was not sealed here for this list, or whose key has not the form of its keys. */
  open<Key>(cursor: string, scope: CursorScope, key: z.ZodType<Key>): Key | undefined;
}

const MAC_BYTES = 16;

/**
 * A cursor is base64url(JSON) + "." + base64url(HMAC-SHA256, first 16 bytes) over the list and the key.
 * @param secret of the installation, shared by its processes; the one that seals receipts.
 */
export function createCursors(secret: string): Cursors {
  // A key of its own, so that nothing sealed for another purpose is ever a cursor.
  const key = createHmac("sha256", secret).update("headwater cursors").digest();
  const macOf = ({ account, list, direction }: CursorScope, body: string) =>
    createHmac("sha256", key)
      .update(JSON.stringify([account, list, direction, body]))
      .digest()
      .subarray(0, MAC_BYTES);
  return {
    seal(scope, position) {
      const body = Buffer.from(JSON.stringify(position)).toString("base64url");
      return `${body}.${macOf(scope, body).toString("base64url")}`;
    },
    open(cursor, scope, shape) {
      const dot = cursor.indexOf(".");
      const body = cursor.slice(0, Math.max(0, dot));
      const input = Buffer.from(cursor.slice(dot + 1), "base64url");
      if (input.length !== MAC_BYTES || !timingSafeEqual(input, macOf(scope, body))) return undefined;
      return shape.safeParse(JSON.parse(Buffer.from(body, "base64url").toString("utf8"))).data;
    },
  };
}
