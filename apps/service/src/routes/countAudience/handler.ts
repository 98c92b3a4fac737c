import { type CompiledCriteria, type CriteriaNode, compileCriteria, parseCriteria } from "@headwater/audience";
import { type Account, toTimestamp } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import type { ErrorDetail } from "@headwater/kernel";
import type { Freshness, ServicePorts } from "../../ports.ts";
import { readContext, readSeenFields } from "./knownNames.ts";
import type { MergeMarks } from "./mergeMarks.ts";
import { type CountOptions, type CountRequest, readCountRequest } from "./options.ts";
import { refuseBadRegex } from "./refuseBadRegex.ts";

export interface CountPorts extends ServicePorts {
  readonly freshness: Freshness;
}

interface Ports extends CountPorts {
  readonly mergeMarks: MergeMarks;
}

const COUNT_TIMEOUT_MS = 30_000;

/**
 * How many contacts match.
 *
 * Throws 422 `INVALID_AUDIENCE_RULES` with all errors of the criteria, 422 `VALIDATION_ERROR` for options, 404
 * `RECORD_NOT_FOUND` for a saved audience that is not there.
 */
export async function countAudienceOf(
  body: Readonly<Record<string, unknown>>,
  account: Account,
  ports: Ports,
  signal: AbortSignal,
): Promise<Answer> {
  const request = readCountRequest(body, account.settings);
  if (request.kind === "saved") throw refusal("RECORD_NOT_FOUND", "There is no saved audience with this id or key.");
  if (request.kind === "invalid") {
    throw refusal("VALIDATION_ERROR", "The options are not right.", { details: request.details });
  }
  // Freshness is looked at before the count, never beside it: `asOf` may only tell of what the count could see.
  const [criteria, freshMs] = await Promise.all([checkCriteria(request, account, ports), ports.freshness()]);
  const nowMs = ports.clock.nowMs();
  const { row, compiled } = await runCount(criteria, request.options, { account, ports, signal, nowMs });
  return { status: 200, body: toAnswer(row, compiled, request.options, { nowMs, freshMs }) };
}

async function checkCriteria(
  { criteria: input, options: { asOf } }: Extract<CountRequest, { kind: "count" }>,
  account: Account,
  ports: CountPorts,
): Promise<CriteriaNode> {
  const at = asOf === undefined ? {} : { asOf };
  const first = parseCriteria(input, await readContext(account, ports, at));
  if (first.kind === "ok") return first.criteria;
  if (!first.errors.some(({ code }) => code === "unknown_field")) throw invalidRules(first.errors);
  const again = parseCriteria(
    input,
    await readContext(account, ports, { ...at, seen: await readSeenFields(account, ports) }),
  );
  if (again.kind === "invalid") throw invalidRules(again.errors);
  return again.criteria;
}

function invalidRules(details: readonly ErrorDetail[]) {
  const rules = details.length === 1 ? "1 rule is" : `${details.length} rules are`;
  return refusal("INVALID_AUDIENCE_RULES", `${rules} not valid`, { details });
}

type CountRow = Readonly<Record<string, number>> & { readonly sample?: readonly string[] };

interface Run {
  readonly account: Account;
  readonly ports: Ports;
  readonly signal: AbortSignal;
  readonly nowMs: number;
}

/** So often a count is made when merges come all the time; the last one may have seen a merge half done. */
const ATTEMPTS_MAX = 4;

/** Counts again when a merge came meanwhile: sets read before and after it may hold both of its contacts. */
async function runCount(criteria: CriteriaNode, options: CountOptions, { account, ports, signal, nowMs }: Run) {
  const { currency } = account.settings;
  let mark = await ports.mergeMarks.lastSeen(account);
  for (let attempt = 1; ; attempt += 1) {
    const known = { account: account.number, now: nowMs, hasMerges: mark !== "0", currency };
    const compiled = compileCriteria(criteria, { ...options, ...known });
    const [row] = await refuseBadRegex(() =>
      ports.clickHouse.query<CountRow>(compiled.sql, compiled.params, { signal, timeoutMs: COUNT_TIMEOUT_MS }),
    );
    if (row === undefined) throw new Error("a count answers one row");
    const after = await ports.mergeMarks.look(account);
    if (after === mark || attempt === ATTEMPTS_MAX) return { row, compiled };
    mark = after;
  }
}

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
