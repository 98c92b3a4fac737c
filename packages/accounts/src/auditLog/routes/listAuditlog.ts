import { waitForAfter } from "@headwater/api/consistency/after";
import { pageOf } from "@headwater/api/paging/answerSchema";
import { readCounted } from "@headwater/api/paging/counted";
import { listAnswer, pickFields } from "@headwater/api/paging/listAnswer";
import { cutPage, readPage } from "@headwater/api/paging/page";
import { bound, listQuery, storableText } from "@headwater/api/paging/query";
import { readTime } from "@headwater/api/paging/timeRange";
import type { AfterPorts } from "@headwater/api/ports";
import { logCategories, logLevels, toTimestamp } from "@headwater/contracts";
import { defineRoute, type Route } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { type AuditEntry, countEntries, pageEntries } from "../postgres.ts";

const shape = z.strictObject({
  id: z.string(),
  at: z.string(),
  category: z.enum(logCategories),
  level: z.enum(logLevels),
  action: z.string().describe("Id of the operation, or kind of the job."),
  message: z.string(),
  actor: z.string().optional().describe("Id of the key or person."),
  actorName: z.string().optional(),
  actorKind: z.enum(["key", "person", "assistant"]).optional(),
  ip: z.string().optional(),
  requestId: z.string().optional(),
  jobId: z.string().optional(),
  target: z.string().optional().describe("Id or key of what was written; of a contact its `cID`."),
  status: z.string().optional(),
  members: z.array(z.string()).optional().describe("Names of the members that were sent, never their values."),
  details: z.record(z.string(), z.unknown()).optional().describe("Counts and codes."),
});
const [category, actorKind] = [shape.shape.category, shape.shape.actorKind];

function toRecord({ at, level, details, members, ...entry }: AuditEntry): z.input<typeof shape> {
  const { id, action, message } = entry;
  const texts = Object.entries(entry).filter(([name]) => !["category", "actorKind"].includes(name));
  return {
    ...Object.fromEntries(texts.filter(([, text]) => text !== null)),
    ...{ id: id ?? "", action: action ?? "", message: message ?? "" },
    at: toTimestamp(at),
    category: category.parse(entry.category),
    level: logLevels[level] ?? "Info",
    ...(entry.actorKind !== null && { actorKind: actorKind.parse(entry.actorKind) }),
    ...(members !== null && { members: JSON.parse(members) }),
    ...(details !== null && { details: JSON.parse(details) }),
  };
}

const example = {
  data: [
    {
      ...{ id: "0198f2c8e5a07d3f9b1c2d3e4f506172", at: "2026-01-09T22:47:12.000Z", category: "API", level: "Info" },
      ...{ action: "updateProgram", message: "Updates a program.", actor: "65f0c0ffee65f0c0ffee0001" },
      ...{
        actorName: "shop backend",
        actorKind: "key",
        ip: "203.0.113.9",
        requestId: "0198f2c8e5a07d3f9b1c2d3e4f506171",
      },
      ...{ target: "welcome", status: "200", members: ["name", "tags"] },
    },
  ],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};

const position = z.strictObject({ at: z.number().int(), id: storableText(64) });
const DEFAULT_DAYS = 90;
const DAY_MS = 86_400_000;
const name = storableText(128).optional();

export function listAuditlog(ports: AfterPorts & Pick<RoutePorts, "clock" | "cursors" | "postgres">): Route {
  const { postgres, cursors, clock } = ports;
  return defineRoute({
    method: "GET",
    path: "/v2/auditlog",
    operationId: "listAuditlog",
    summary: "Lists what was done to the account: by whom, when, from where; the latest entry first.",
    description:
      "Every write, job, setting, key and erasure, refused calls of routes that administer the account, and counts of other calls by minute. No entry holds an address, a value of a contact or a secret. Entries are kept for 400 days.",
    tags: ["auditlog"],
    answers: { 200: { description: "A page of entries.", schema: pageOf(shape.partial()), example } },
    auth: "basic",
    scope: "auditlog:read",
    rateClass: "read",
    query: z.strictObject({
      ...listQuery,
      sort_by: z.enum(["at"]).optional(),
      actor: name.describe("Id of a key or person."),
      action: name,
      category: z.enum(logCategories).optional(),
      level: z.enum(logLevels).optional().describe("This level and graver ones."),
      target: name,
      from: bound.describe("ISO 8601, included. Default: 90 days before `to`."),
      to: bound.describe("ISO 8601, excluded. Default: now."),
    }),
    handler: async ({ query, caller, caller: { account }, signal }) => {
      await waitForAfter({ token: query.after, caller, store: "state", signal }, ports);
      const { number } = account;
      const page = readPage(query, { list: "auditlog", key: position, direction: "desc", account: number, cursors });
      const pick = pickFields(query.fields, Object.keys(shape.shape));
      const read = (text: string | undefined, parameter: string) =>
        text === undefined ? undefined : readTime(text, parameter, account.settings.timezone);
      // An entry of this very millisecond is in the list.
      const to = read(query.to, "to") ?? clock.nowMs() + 1;
      const from = read(query.from, "from") ?? to - DEFAULT_DAYS * DAY_MS;
      const { actor, action, category: of, level, target } = query;
      const filters = { account: number, from, to, actor, action, category: of, level, target };
      const { direction, after: last, skip, perPage } = page;
      const { rows, total } = await readCounted(postgres, query, {
        page: (session) => pageEntries(session, filters, { direction, last, skip, rowsMax: perPage + 1 }),
        count: (session) => countEntries(session, filters),
      });
      const cut = cutPage(rows, page, ({ at, id }) => ({ at, id: id ?? "" }));
      const listed = { rows: cut.rows.map((row) => pick(toRecord(row))), nextCursor: cut.nextCursor };
      return listAnswer({ path: "/v2/auditlog", query, page, listed, total });
    },
  });
}
