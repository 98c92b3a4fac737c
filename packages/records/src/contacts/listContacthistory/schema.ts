import { pageOf } from "@headwater/api/paging/answerSchema";
import { listQuery } from "@headwater/api/paging/query";
import { z } from "zod";

const { return_count: _uncounted, sort_dir: _newestFirst, ...paged } = listQuery;

export const params = z.strictObject({ primary_key: z.string().min(1) });
export const query = z.strictObject(paged);
export type HistoryQuery = z.output<typeof query>;

/** A page ends at a version. */
export const cursorKey = z.string().regex(/^[0-9a-f]{32}$/);

export const HISTORY_MEMBERS = ["version", "at", "by", "changes"] as const;

const entry = z.strictObject({
  version: z.string(),
  at: z.string(),
  by: z.strictObject({ kind: z.enum(["record", "v2", "merge", "split", "redrive"]), id: z.string() }),
  changes: z.array(z.strictObject({ path: z.string(), from: z.unknown(), to: z.unknown() })),
});
export const historyAnswer = pageOf(entry.partial());

const dead = {
  cID: "65f0c0ffee65f0c0ffee0002",
  identifiers: { anonymousId: "a-7" },
  channels: {},
  attributes: { plan: "free" },
};
export const historyExample = {
  data: [
    {
      version: "019ba4d2f0800100030000000004d2000",
      at: "2026-01-09T22:47:13.000Z",
      by: { kind: "merge", id: "0Kq3yVbR2mX9aLpT7cWd:0:0" },
      changes: [
        { path: "attributes.plan", from: "gold", to: "free" },
        { path: "contacts.65f0c0ffee65f0c0ffee0002", from: dead, to: null },
        { path: "identifiers.anonymousId", from: null, to: "a-7" },
      ],
    },
    {
      version: "019ba4d2ec980100030000000004d1000",
      at: "2026-01-09T22:47:12.000Z",
      by: { kind: "record", id: "intake.records/3/1233/0" },
      changes: [{ path: "attributes.plan", from: null, to: "gold" }],
    },
  ],
  pagination: { per_page: 25, page: 1, next_cursor: null },
  asOf: "2026-01-09T22:47:14.000Z",
};
