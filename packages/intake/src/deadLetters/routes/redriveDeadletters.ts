import { type OnceCall, orFirstAnswer, runOnce } from "@headwater/api/idempotency/runOnce";
import { withSnapshot } from "@headwater/api/reading/withSnapshot";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { type RedriveRequest, redriveRequest } from "@headwater/contracts";
import type { Answer, Route } from "@headwater/http";
import { newJobId } from "@headwater/kernel";
import type { Session } from "@headwater/postgres/connection/session";
import { z } from "zod";
import { type RedriveContext, redriveTrial, tryRedrives } from "../../operations/redrive.ts";
import type { RoutePorts } from "../../ports.ts";
import { countDeadLetters } from "../deadLetterCounts.ts";
import { openDeadLetters } from "../deadLetters.ts";
import { createRedrive } from "../redrives.ts";
import { refuseWrongStates, type SelectionFilters, toFilters } from "../selection.ts";

const count = z.number().int();

const jobAnswer = z.strictObject({ jobId: z.string() });
const trialAnswer = z.strictObject({
  wouldPass: count,
  wouldFail: z.array(z.strictObject({ id: z.string(), code: z.string(), message: z.string() })),
  /** Number of dead letters in the selection; at most 10,000 of them are validated, at most 1,000 failures shown. */
  selected: count,
  judged: count,
});

const requestExample = {
  select: { operation: "upsertOrder", code: "VALIDATION_ERROR", from: "2026-01-09T00:00:00Z" },
  patch: [{ op: "replace", path: "/order/currency", value: "EUR" }],
};

type RedrivePorts = Pick<RoutePorts, "postgres" | "clock">;

/**
 * Notes the redrive down, for the projector to carry out; a record that was redriven before is not selected, so that the same
 * call again writes nothing. With `dryRun` it only returns what validation would say.
 */
async function redriveSelection(request: RedriveRequest, once: OnceCall, ports: RedrivePorts): Promise<Answer> {
  const { account, scopes } = once.caller;
  const { select, patch, dryRun } = request;
  const filters = toFilters(select, account);
  if (dryRun === true) {
    const context = { account, patch, scopes, nowMs: ports.clock.nowMs() };
    return withSnapshot(ports.postgres, (session) => trialOf(session, filters, context));
  }
  const selected = await countSelected(ports.postgres, filters);
  return createRedriveOnce(once, filters, { patch, selected, ...ports });
}

async function countSelected(session: Session, filters: SelectionFilters): Promise<number> {
  await refuseWrongStates(session, filters, "redriven");
  return countDeadLetters(session, { ...filters, statuses: ["open"] });
}

async function trialOf(session: Session, filters: SelectionFilters, context: RedriveContext): Promise<Answer> {
  const selected = await countSelected(session, filters);
  return { status: 200, body: { ...(await tryThem(session, filters, context)), selected } };
}

/** Stores the redrive. A repeat under its `Idempotency-Key` gets the same job. */
function createRedriveOnce(
  once: OnceCall,
  { account, ...selection }: SelectionFilters,
  { patch: input, selected, postgres, clock }: RedrivePorts & NewRedrive,
): Promise<Answer> {
  const patch = input === undefined ? null : JSON.stringify(input);
  const { scopes, id: createdBy } = once.caller;
  return runOnce(postgres, once, async (transaction) => {
    const id = newJobId();
    const redrive = { id, account, selection, patch, scopes, madeBy: createdBy, createdAt: clock.nowMs(), selected };
    await createRedrive(transaction, redrive);
    const stored = { jobId: id };
    return { kept: stored, answer: { status: 202, body: stored, headers: { Location: `/v2/jobs/${id}` } } };
  });
}

interface NewRedrive {
  readonly patch: RedriveRequest["patch"];
  readonly selected: number;
}

async function tryThem(session: Session, filters: SelectionFilters, context: RedriveContext) {
  const deadLetters = openDeadLetters(session, filters, redriveTrial.judged);
  const { failures, ...counts } = await tryRedrives(deadLetters, context);
  const wouldFail = failures.map(({ id, code, path, message }) => {
    return { id, code, message: path === "" ? message : `${path}: ${message}` };
  });
  return { ...counts, wouldFail };
}

export function redriveDeadletters(ports: Pick<RoutePorts, "clock" | "postgres">): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/deadletters/redrive",
    operationId: "redriveDeadletters",
    summary: "Redrives a selection of rejected records to the log, optionally patched, each once.",
    description:
      "Each becomes a new record with the version of its original, so it never overwrites later writes. The job's `metadata.receipt` tracks the new records.",
    tags: ["deadletters"],
    answers: {
      200: { description: "With `dryRun`: the verdicts of validation.", schema: trialAnswer },
      202: { description: "The redrive job.", schema: jobAnswer },
      404: { description: "RECORD_NOT_FOUND: one of `ids` is not a dead letter of the account." },
    },
    requestExample,
    scope: "deadletters:write",
    dryRun: { class: "checked", starts: () => "unknown" },
    rateClass: "jobStart",
    body: redriveRequest,
    handler: ({ body: request, once }) =>
      orFirstAnswer(ports.postgres, once, () => redriveSelection(request, once, ports)),
  });
}
