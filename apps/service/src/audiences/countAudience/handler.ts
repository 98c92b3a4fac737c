import type { CompiledCriteria } from "@headwater/audience";
import { type Account, toTimestamp } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import type { RoutePorts } from "../../ports.ts";
import { checkCriteria } from "../checkCriteria.ts";
import { expectRecorded } from "../expectRecorded.ts";
import { runCriteria } from "../runCriteria.ts";
import { type CountOptions, readCountRequest } from "./options.ts";

/**
 * How many contacts match.
 *
 * Throws 422 `INVALID_AUDIENCE_RULES` with all errors of the criteria, 422 `VALIDATION_ERROR` for options, 404
 * `RECORD_NOT_FOUND` for a saved audience that is not there.
 */
export async function countAudienceOf(
  body: Readonly<Record<string, unknown>>,
  account: Account,
  ports: RoutePorts,
  signal: AbortSignal,
): Promise<Answer> {
  const request = readCountRequest(body, { settings: account.settings, nowMs: ports.clock.nowMs() });
  if (request.kind === "saved") throw refusal("RECORD_NOT_FOUND", "No saved audience has this id or key.");
  if (request.kind === "invalid") {
    throw refusal("VALIDATION_ERROR", "The options are invalid.", { details: request.details });
  }
  // Freshness is looked at before the count, never beside it: `asOf` may only tell of what the count could see.
  const { asOf, basis } = request.options;
  // By event time the attributes and lists are those of today.
  const known = { account, asOf: basis === "recorded" ? asOf : undefined };
  await expectRecorded(known, ports);
  const checked = checkCriteria(request.criteria, known, ports);
  const [criteria, freshMs] = await Promise.all([checked, ports.freshness()]);
  const nowMs = ports.clock.nowMs();
  const run = { account, signal, nowMs, options: request.options };
  const { row, compiled } = await runCriteria<CountRow>(criteria, run, ports);
  return { status: 200, body: toAnswer(row, compiled, request.options, { nowMs, freshMs }) };
}

type CountRow = Readonly<Record<string, number>> & { readonly sample?: readonly string[] };

function toAnswer(
  row: CountRow,
  { nodes, notes }: CompiledCriteria,
  options: CountOptions,
  { nowMs, freshMs }: { readonly nowMs: number; readonly freshMs: number },
) {
  const { asOf = nowMs, basis, timezone, eligibleFor } = options;
  return {
    count: row.count,
    asOf: toTimestamp(freshMs),
    exact: true,
    ...(options.explain && {
      explain: nodes.map(({ path, column }) => explainNode(path, row[column] ?? 0, notes, row)),
    }),
    ...(options.sampleSize !== undefined && { sample: row.sample ?? [] }),
    options: { asOf: toTimestamp(asOf), basis, timezone, ...(eligibleFor && { eligibleFor }) },
  };
}

function explainNode(path: string, count: number, notes: CompiledCriteria["notes"], row: CountRow) {
  const leftOut = notes
    .filter((note) => note.path === path && (row[note.column] ?? 0) > 0)
    .map(({ code, column }) => ({ code, count: row[column] }));
  return leftOut.length > 0 ? { path, count, leftOut } : { path, count };
}
