import { refusal } from "@headwater/http";
import type { BoundedRows } from "@headwater/postgres/connection/documentBound";
import type { ListQuery } from "./query.ts";

/** Limit of the stored documents of a page. It bounds the memory of an answer, and how long building it holds the event loop. */
export const PAGE_BYTES_MAX = 4 * 1024 * 1024;
/** The same limit in words, for the document of `/v2`. */
export const PAGE_BYTES_NOTE =
  "A page holds at most 4 MiB of stored records; a larger page ends early and continues at `next_cursor`, and asked for by `page` it is refused with 422 `use_cursor`.";

/** Limit of a page, where it is not `PAGE_BYTES_MAX` of stored records. */
interface PageLimit {
  readonly bytesMax?: number;
  /** Member that has the bytes, where `fields` can leave it out. */
  readonly member?: string | undefined;
}

/**
 * Refuses a numbered page that ends early: the page of the next number would begin behind the rows that were left out.
 * @throws HeadwaterError 422 `VALIDATION_ERROR` with the detail `use_cursor`.
 */
export function expectWholePage(
  { page }: ListQuery,
  { rows, isCut }: BoundedRows<unknown>,
  perPage: number,
  { bytesMax = PAGE_BYTES_MAX, member }: PageLimit = {},
): void {
  if (page === undefined || !isCut || rows.length >= perPage) return;
  const instead = member === undefined ? "ask for fewer records a page" : `leave out \`${member}\` with \`fields\``;
  const message = `A page holds at most ${bytesMax} bytes of ${member ?? "stored records"}. Continue with the cursor, or ${instead}.`;
  throw refusal("VALIDATION_ERROR", message, { details: [{ path: "/page", code: "use_cursor", message }] });
}
