import { unlessLost } from "@headwater/analytics/exports/stagingTable";
import { audiences } from "@headwater/audiences/audiences/postgres";
import { examineCriteria } from "@headwater/audiences/criteria/examineCriteria";
import { meantCriteria } from "@headwater/audiences/criteria/knownAudiences";
import type { Account, JobInput } from "@headwater/contracts";
import type { CriteriaNode } from "@headwater/criteria";
import type { JobPorts, Work } from "@headwater/jobs/runner/jobKind";
import { HeadwaterError } from "@headwater/kernel";
import type { StreamWatermark } from "@headwater/postgres/outbox/streamWatermarks";
import { followStored } from "../../batchMessages/sendJob/followStored.ts";
import { type AudiencePage, fillAudience, readAudiencePage } from "../../jobs/audiencePages.ts";
import { type RecurringTrigger, readRecurringTrigger } from "../../triggers/recurringTriggers.ts";
import { lockTemplateRun } from "../../triggers/templateRuns.ts";
import type { RunProgress } from "./progress.ts";

/** Part of the audience that was read outside of the step's transaction. */
export type SeenAudience =
  | { readonly kind: "nothing" }
  | { readonly kind: "behind"; readonly marks: StreamWatermark }
  | { readonly kind: "filled"; readonly table: string }
  /** ClickHouse was put back or emptied since the audience was filled. */
  | { readonly kind: "lost" }
  | ({ readonly kind: "page" } & AudiencePage);

type RunWork = Work<JobInput<"SendAutomationTemplate">, RunProgress>;

/** Reads the next part of the audience. @throws HeadwaterError `INVALID_AUDIENCE_RULES` for criteria that are not valid any more. */
export async function checkAudience(work: RunWork, ports: JobPorts): Promise<SeenAudience> {
  const { account, input, progress } = work;
  if (progress?.phase === "wants") return { kind: "nothing" };
  if (progress?.phase === "chunks") {
    const page = await unlessLost(readAudiencePage(progress, work, ports));
    return page === undefined ? { kind: "lost" } : { kind: "page", ...page };
  }
  const key = { account: account.number, id: input.run };
  const run = await ports.postgres.transaction((transaction) => lockTemplateRun(transaction, key));
  const trigger = run && (await readRecurringTrigger(ports.postgres, run));
  if (trigger === undefined) return { kind: "nothing" };
  const marks = await followStored(progress?.marks, work.signal, ports);
  if (marks !== "passed") return { kind: "behind", marks };
  const node = await audienceOf(trigger, account, ports);
  return { kind: "filled", table: await fillAudience(node, work, ports) };
}

/** Returns the audience of a trigger as it is defined at this tick. */
async function audienceOf(
  { audienceKey, criteria, lists }: RecurringTrigger,
  account: Account,
  { postgres, clickhouse }: JobPorts,
): Promise<CriteriaNode> {
  const saved =
    audienceKey === null ? undefined : await audiences.read(postgres, { account: account.number, key: audienceKey });
  const provided = criteria === null ? saved : { criteria, lists: lists ?? "{}" };
  if (provided === undefined) throw invalid("The trigger names no audience.");
  const examined = await examineCriteria(meantCriteria(provided), { account }, { postgres, clickHouse: clickhouse });
  if (examined.kind === "ok") return examined.criteria;
  throw invalid(examined.details.map(({ path, message }) => `${path}: ${message}`).join("; "));
}

function invalid(publicMessage: string): HeadwaterError {
  return new HeadwaterError({ code: "INVALID_AUDIENCE_RULES", status: 422, publicMessage });
}
