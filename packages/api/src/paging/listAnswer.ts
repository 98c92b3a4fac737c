import { toTimestamp } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import type { Listed, Page } from "./page.ts";
import type { ListQuery } from "./query.ts";

export interface ListAnswer<Row> {
  readonly path: string;
  readonly query: ListQuery;
  readonly page: Page<unknown>;
  readonly listed: Listed<Row>;
  /** Total with `return_count=true`. */
  readonly total: number | undefined;
  /** Milliseconds since 1970; for data that come from ClickHouse. */
  readonly asOf?: number;
  /** Names and values of the filters that the account never had. */
  readonly warnings?: readonly object[];
}

/** The one form of a list: `data`, `pagination`, `asOf`, and a `Link` header while there is a next page. */
export function listAnswer<Row>({ path, query, page, listed, total, asOf, warnings = [] }: ListAnswer<Row>): Answer {
  const { perPage } = page;
  const pagination = {
    per_page: perPage,
    ...(page.page !== undefined && { page: page.page }),
    ...(total !== undefined && { total, last_page: Math.max(1, Math.ceil(total / perPage)) }),
    next_cursor: listed.nextCursor,
  };
  const body = {
    data: listed.rows,
    pagination,
    ...(asOf !== undefined && { asOf: toTimestamp(asOf) }),
    ...(warnings.length > 0 && { warnings }),
  };
  if (listed.nextCursor === null) return { status: 200, body };
  return { status: 200, body, headers: { Link: nextOf(path, query, listed.nextCursor) } };
}

/** The `Link` header of the next page: the same filters, and the cursor in the place of the page. */
export function nextOf(path: string, query: object, cursor: string): string {
  const next = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || name === "page" || name === "cursor" || name === "after") continue;
    for (const one of [value].flat()) next.append(name, String(one));
  }
  next.set("cursor", cursor);
  return `<${path}?${next}>; rel="next"`;
}

/** Returns whether `fields` names one of the members. */
export function namesAny(fields: string, members: readonly string[]): boolean {
  return fields.split(",").some((name) => members.includes(name.trim()));
}

/** Keeps the members that `fields` names. Throws 400 `BAD_REQUEST` for a name that the records do not have. */
export function pickFields(fields: string | undefined, known: readonly string[]): (record: object) => object {
  if (fields === undefined) return (record) => record;
  const names = fields.split(",").map((name) => name.trim());
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    const details = unknown.map((name) => ({
      path: "/fields",
      code: "unknown_field",
      message: `\`fields\` contains an unknown name: \`${name}\`.`,
      allowed: known,
    }));
    throw refusal("BAD_REQUEST", "`fields` contains unknown names.", { details });
  }
  return (record) => Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
}
