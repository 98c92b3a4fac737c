import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { Session } from "@headwater/postgres/connection/session";
import { withSnapshot } from "../reading/withSnapshot.ts";
import type { ListQuery } from "./query.ts";

export interface CountedReads<Rows> {
  page(session: Session): Promise<Rows>;
  /** Returns how many rows there are in all. */
  count(session: Session): Promise<number>;
  /** True for a page that takes several statements, which have to see the same moment. */
  readonly needsSnapshot?: boolean;
}

export interface Counted<Rows> {
  readonly rows: Rows;
  readonly total: number | undefined;
}

/** The rows of a page, with `return_count=true` also how many there are at the same instant. A page alone is mostly one statement. */
export async function readCounted<Rows>(
  postgres: Postgres,
  { return_count }: ListQuery,
  { page, count, needsSnapshot = false }: CountedReads<Rows>,
): Promise<Counted<Rows>> {
  if (return_count !== "true") {
    return { rows: await (needsSnapshot ? withSnapshot(postgres, page) : page(postgres)), total: undefined };
  }
  const [rows, total] = await withSnapshot(postgres, (session) => Promise.all([page(session), count(session)]));
  return { rows, total };
}
