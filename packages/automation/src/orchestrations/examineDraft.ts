import { pinned } from "@headwater/audiences/audiences/savedCriteria";
import type { CriteriaPorts } from "@headwater/audiences/criteria/criteriaPorts";
import { readNames } from "@headwater/audiences/criteria/examineCriteria";
import { refusedRegexes } from "@headwater/audiences/criteria/refusedRegexes";
import type { Account } from "@headwater/contracts";
import { type CriteriaContext, criteriaReferences } from "@headwater/criteria";
import { DETAILS_FOUND_MAX, type ErrorDetail, hasForbiddenText, type Outbound, runInSlices } from "@headwater/kernel";
import { mistakesWithoutIncludes } from "@headwater/messaging/messages/prepareParts";
import type { Renderer } from "@headwater/messaging/renderer/createRenderer";
import { knownTemplates } from "@headwater/messaging/templates/templates";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { knownDataJobs } from "../dataJobs/postgres.ts";
import { addressProblems } from "../webhooks/webhook.ts";
import {
  checkDraft,
  criteriaOfDraft,
  dataJobsOf,
  liquidOf,
  missingDataJobs,
  missingTemplates,
  templatesOf,
  type UsedCriteria,
  webhooksOf,
} from "./checks.ts";
import type { Composition, Draft } from "./orchestration.ts";

export type ExaminedDraft =
  | ({ readonly kind: "ok" } & CheckedComposition)
  | { readonly kind: "invalid"; readonly details: readonly ErrorDetail[] };

/** A version that may be published. */
export interface CheckedComposition {
  readonly composition: Composition;
  /** Ids of the lists that its criteria name by name. */
  readonly lists: Readonly<Record<string, number>>;
  /** Saved audiences that its criteria name, each with its id. */
  readonly audiences: ReadonlyMap<string, string>;
}

export interface ExaminePorts extends CriteriaPorts {
  readonly postgres: Pick<Postgres, "query" | "execute" | "transaction">;
  /** Ways out of webhook nodes. */
  readonly outbound: Pick<Outbound, "permits" | "allows">;
  /** Processes that check Liquid. */
  readonly renders: Renderer;
}

const NO_INCLUDES = "Only contents of messages may name includes.";

/**
 * Checks a draft against what the account knows: its criteria, templates, data jobs and their names; and its Liquid and the addresses of its
 * webhooks. @returns all mistakes at once.
 */
export async function examineDraft(draft: Draft, account: Account, ports: ExaminePorts): Promise<ExaminedDraft> {
  const used = criteriaOfDraft(draft);
  const inputs = used.map(({ criteria }) => criteria);
  const keys = templatesOf(draft.actions).filter((key) => !hasForbiddenText(key));
  const jobs = dataJobsOf(draft).filter((key) => !hasForbiddenText(key));
  const [known, templates, dataJobs, liquid] = await Promise.all([
    readNames(inputs, account, ports),
    knownTemplates(ports.postgres, account.number, keys),
    knownDataJobs(ports.postgres, account.number, jobs),
    wrongLiquid(draft, account, ports),
  ]);
  const checked = await runInSlices(checkDraft(draft, known));
  const missing = [
    ...missingTemplates(draft, templates),
    ...missingDataJobs(draft, dataJobs),
    ...webhooksOf(draft).flatMap(({ text, at }) => addressProblems(at, text, ports.outbound)),
    ...liquid,
  ];
  if (checked.kind === "invalid") return { kind: "invalid", details: [...checked.details, ...missing] };
  const details = [...missing, ...(await wrongRegexes(used, ports))];
  if (details.length > 0) return { kind: "invalid", details };
  return { ...checked, ...namesOf(inputs, known.context) };
}

async function wrongLiquid(draft: Draft, { number }: Account, ports: ExaminePorts): Promise<ErrorDetail[]> {
  const parts = liquidOf(draft).map(({ text, at }) => ({ path: at, text, kind: "plain" as const }));
  return parts.length === 0 ? [] : mistakesWithoutIncludes(number, { parts, message: NO_INCLUDES }, ports);
}

/** Returns ids of what criteria name, as they are at the publication. */
function namesOf(inputs: readonly unknown[], context: CriteriaContext): Omit<CheckedComposition, "composition"> {
  const { lists, audiences } = criteriaReferences(...inputs);
  const ids = audiences.flatMap((name): [string, string][] => {
    const id = context.audiences?.get(name)?.id;
    return id === undefined ? [] : [[name, id]];
  });
  return { lists: pinned(lists.names, context), audiences: new Map(ids) };
}

/** Asks the store about the regular expressions of each criteria. */
async function wrongRegexes(used: readonly UsedCriteria[], ports: CriteriaPorts): Promise<ErrorDetail[]> {
  const details: ErrorDetail[] = [];
  for (const { criteria, at } of used) {
    const refused = await refusedRegexes(criteria, ports);
    details.push(...refused.map((detail) => ({ ...detail, path: at + detail.path })));
    if (details.length >= DETAILS_FOUND_MAX) break;
  }
  return details;
}
