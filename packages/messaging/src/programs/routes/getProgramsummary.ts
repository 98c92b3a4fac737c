import { waitForAfter } from "@headwater/api/consistency/after";
import type { AfterPorts } from "@headwater/api/ports";
import { type Account, toTimestamp } from "@headwater/contracts";
import { compileMessageNumbers, type MessageCounts } from "@headwater/criteria";
import { type Answer, defineRoute, type Route } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import {
  type NumbersQuery,
  numbersQuery,
  programParams,
  queryView,
  questionOf,
  readProgram,
  STATS_SQL,
  showQuery,
  statsExample,
  statsOf,
  statsShape,
} from "../numbers.ts";

const query = z.strictObject(numbersQuery);

const summaryAnswer = z.strictObject({
  name: z.string(),
  stats: statsShape,
  query: queryView,
  ct: z.string(),
  lm: z.string(),
  asOf: z.string(),
});

const summaryExample = {
  name: "Spring sale",
  stats: statsExample,
  query: { start_date: "2026-03-01", end_date: "2026-03-31", timezone: "Europe/Berlin", channel_key: "email" },
  ct: "2026-01-09T22:47:12.000Z",
  lm: "2026-01-09T22:47:12.000Z",
  asOf: "2026-03-31T22:47:12.000Z",
};

interface SummaryCall {
  readonly id: string;
  readonly query: NumbersQuery;
  readonly account: Account;
  readonly signal: AbortSignal;
}

/** The numbers of all messages of a program together. Throws 404 `RECORD_NOT_FOUND`. */
async function readSummary(
  { id, query, account, signal }: SummaryCall,
  { postgres, clickHouse, freshness }: Pick<RoutePorts, "clickHouse" | "freshness" | "postgres">,
): Promise<Answer> {
  const program = await readProgram(postgres, account.number, id);
  const question = questionOf(query, program, account);
  // Freshness is checked before the numbers: `asOf` may only cover what they could see.
  const asOf = await freshness();
  const { sql, prefix, params } = compileMessageNumbers({ ...question, view: "total" });
  const rows = await clickHouse.query<MessageCounts>(`${prefix}SELECT ${STATS_SQL} FROM (${sql})`, params, { signal });
  const body = {
    name: program.name,
    stats: rows.map(statsOf)[0],
    query: showQuery(query, account),
    ct: toTimestamp(program.createdAt),
    lm: toTimestamp(program.updatedAt),
    asOf: toTimestamp(asOf),
  };
  return { status: 200, body };
}

export function getProgramsummary(
  ports: AfterPorts & Pick<RoutePorts, "clickHouse" | "freshness" | "postgres">,
): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/programs/{id}/summary",
    operationId: "getProgramsummary",
    summary: "Returns the numbers of a program's messages together.",
    description:
      "Counts what was sent on the days in the account's time zone, both included, with all that followed. The numbers of the messages add up: a unique open is a contact and a message.",
    tags: ["programs"],
    answers: {
      200: { description: "The summary.", schema: summaryAnswer, example: summaryExample },
      404: { description: "RECORD_NOT_FOUND: no program has this id." },
    },
    auth: "basic",
    scope: "programs:read",
    rateClass: "read",
    params: programParams,
    query,
    handler: async ({ params: { id }, query: input, caller, signal }) => {
      await waitForAfter({ token: input.after, caller, store: "analytics", signal }, ports);
      return readSummary({ id, query: input, account: caller.account, signal }, ports);
    },
  });
}
