import { waitForAfter } from "@headwater/api/consistency/after";
import { afterQuery, bound } from "@headwater/api/paging/query";
import { readTime } from "@headwater/api/paging/timeRange";
import type { AfterPorts } from "@headwater/api/ports";
import { type Account, toTimestamp } from "@headwater/contracts";
import { type Answer, defineRoute, type Route, refusal } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { type AccountingLine, isBalanced } from "../balance.ts";
import { readAccounting } from "../readAccounting.ts";

const count = z.number().int();

/** Bounds of the time at which the ingress accepted the records, in whole hours. Default: the last 24. */
const query = z.strictObject({ ...afterQuery, from: bound, to: bound });
type AccountingQuery = z.output<typeof query>;

const accountingAnswer = z.strictObject({
  from: z.string(),
  to: z.string(),
  data: z.array(
    z.strictObject({
      hour: z.string(),
      operation: z.string(),
      accepted: count,
      applied: count,
      skipped: count,
      rejected: count,
      parked: count,
      lost: count,
      pending: count,
    }),
  ),
  balanced: z.boolean(),
});

const outcomes = { applied: 980, skipped: 15, rejected: 4, parked: 0, lost: 0, pending: 1 };
const accountingExample = {
  from: "2026-01-09T22:00:00.000Z",
  to: "2026-01-09T23:00:00.000Z",
  data: [{ hour: "2026-01-09T22:00:00.000Z", operation: "upsertContact", accepted: 1_000, ...outcomes }],
  balanced: true,
};

const HOUR_MS = 3_600_000;
const HOURS_DEFAULT = 24;
const HOURS_MAX = 31 * 24;
/** Hours that are kept: as long as closed dead letters, which are counted by their rows, less the hour that is being deleted. */
const STORED_HOURS = 90 * 24 - 1;

/** Throws 400 `BAD_REQUEST` for invalid times, 422 `VALIDATION_ERROR` for a range that is too long, too old or empty. */
async function accountingOf(
  query: AccountingQuery,
  account: Account,
  { signal, ...ports }: Pick<RoutePorts, "postgres" | "clock" | "waits"> & { readonly signal: AbortSignal },
): Promise<Answer> {
  const { from, to } = readHours(query, account, ports.clock.nowMs());
  const lines = await readAccounting({ account: account.number, from, to }, ports, signal);
  const body = { from: timeOf(from), to: timeOf(to), data: lines.map(toRow), balanced: lines.every(isBalanced) };
  return { status: 200, body };
}

/** Returns the hours that the range touches, counted since 1970. */
function readHours({ from, to }: AccountingQuery, account: Account, nowMs: number) {
  const { timezone } = account.settings;
  const last = Math.ceil((to === undefined ? nowMs : readTime(to, "to", timezone)) / HOUR_MS);
  const first = from === undefined ? last - HOURS_DEFAULT : Math.floor(readTime(from, "from", timezone) / HOUR_MS);
  const earliest = Math.floor(nowMs / HOUR_MS) - STORED_HOURS;
  if (first < earliest) throw outOfRange("from", `Accounting data starts at ${timeOf(earliest)}.`);
  if (first >= last) throw outOfRange("to", "The range ends before it starts.");
  if (last - first > HOURS_MAX) throw outOfRange("to", `The range exceeds ${HOURS_MAX} hours.`);
  return { from: first, to: last };
}

function outOfRange(parameter: string, message: string) {
  return refusal("VALIDATION_ERROR", message, {
    details: [{ path: `/${parameter}`, code: "out_of_range", message }],
  });
}

function toRow({ account: _account, hour, ...counts }: AccountingLine): object {
  return { hour: timeOf(hour), ...counts };
}

function timeOf(hour: number): string {
  return toTimestamp(hour * HOUR_MS);
}

export function getAccounting(ports: AfterPorts & Pick<RoutePorts, "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/accounting",
    operationId: "getAccounting",
    summary: "Returns the outcomes of all accepted records, by hour and operation.",
    description:
      "`accepted` is counted from the log, the other numbers where the outcomes are stored. `balanced` is false when the sums of a row differ: a record was lost or processed twice.",
    tags: ["operations"],
    answers: {
      200: { description: "The requested hours.", schema: accountingAnswer, example: accountingExample },
      422: { description: "VALIDATION_ERROR: the range starts before the retained hours or is too long." },
    },
    auth: "basic",
    scope: "accounting:read",
    rateClass: "read",
    query,
    handler: async ({ query: input, caller, signal }) => {
      await waitForAfter({ token: input.after, caller, store: "state", signal }, ports);
      return accountingOf(input, caller.account, { ...ports, signal });
    },
  });
}
