import { compileMessageNumbers, type MessageCounts } from "@headwater/audience";
import { type Account, toTimestamp } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { readProgram } from "@headwater/stores/programs";
import type { RoutePorts } from "../../ports.ts";
import { type NumbersQuery, questionOf, showQuery } from "../numbersQuery.ts";
import { unknownProgram } from "../programView.ts";
import { STATS_SQL, statsOf } from "../statsView.ts";

export interface SummaryCall {
  readonly id: string;
  readonly query: NumbersQuery;
  readonly account: Account;
  readonly signal: AbortSignal;
}

/** The numbers of all messages of a program together. Throws 404 `RECORD_NOT_FOUND`. */
export async function readSummary(
  { id, query, account, signal }: SummaryCall,
  { postgres, clickHouse, freshness }: Pick<RoutePorts, "clickHouse" | "freshness" | "postgres">,
): Promise<Answer> {
  const program = await readProgram(postgres, account.number, id);
  if (program === undefined) throw unknownProgram();
  const question = questionOf(query, program, account);
  // Freshness is looked at before the numbers: `asOf` may only cover what they could see.
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
