import type { Account } from "@headwater/contracts";
import { type CompileOptions, type CriteriaNode, compileCriteria } from "@headwater/criteria";
import { refusal } from "@headwater/http";
import { isBadRegex } from "../criteria/refusedRegexes.ts";
import type { RoutePorts } from "../ports.ts";
import type { AliasRevision, AliasRevisions } from "./aliasRevisions.ts";

/** Time that a caller waits for; what takes longer, all attempts together, is answered with 503. */
const QUERY_TIMEOUT_MS = 30_000;
/** Limit of the attempts at a query while merges keep coming; the last one may have seen a merge half done. */
const ATTEMPTS_MAX = 4;

/** Context of a query, besides its criteria. */
export interface CriteriaRun {
  readonly account: Account;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  readonly options: Omit<CompileOptions, "account" | "now" | "hasMerges" | "currency">;
}

export type CriteriaPorts = Pick<RoutePorts, "clickHouse"> & { readonly aliasRevisions: AliasRevisions };

/**
 * Runs again when a merge came meanwhile: sets read before and after it may hold both of its contacts. Each merge writes its alias, and so
 * another revision, before its contacts' rows change hands, and a query reads the revision behind all of its sets.
 */
export async function runCriteria<Row>(
  criteria: CriteriaNode,
  run: CriteriaRun,
  { aliasRevisions, clickHouse }: CriteriaPorts,
) {
  const { account, signal, nowMs: now, options } = run;
  const { currency } = account.settings;
  const endsAt = performance.now() + QUERY_TIMEOUT_MS;
  let revision = await aliasRevisions.lastSeen(account);
  for (let attempt = 1; ; attempt += 1) {
    const known = { account: account.number, now, hasMerges: revision !== "0", currency };
    const compiled = compileCriteria(criteria, { ...options, ...known });
    const [row] = await refuseBadRegex(() =>
      clickHouse.query<Row & { readonly aliasRevision: AliasRevision }>(compiled.sql, compiled.params, {
        settings: compiled.settings,
        signal,
        timeoutMs: Math.max(1, endsAt - performance.now()),
      }),
    );
    if (row === undefined) throw new Error("a query of criteria answers one row");
    const { aliasRevision } = row;
    aliasRevisions.saw(account, aliasRevision);
    if (aliasRevision === revision || attempt === ATTEMPTS_MAX) return { row, compiled };
    revision = aliasRevision;
  }
}

/** Refuses a regular expression that criteria of before may still hold: it is the caller's error, not ours. */
async function refuseBadRegex<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!isBadRegex(error)) throw error;
    const details = [{ path: "", code: "bad_value", message: "A regular expression is not valid RE2." }];
    throw refusal("INVALID_AUDIENCE_RULES", "1 rule is not valid", { details, cause: error });
  }
}
