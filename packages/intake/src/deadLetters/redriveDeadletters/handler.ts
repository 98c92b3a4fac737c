import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import { withSnapshot } from "@headwater/api/reading/withSnapshot";
import type { RedriveRequest } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { newJobId } from "@headwater/kernel";
import type { Session } from "@headwater/postgres/connection/session";
import { type RedriveContext, redriveTrial, tryRedrives } from "../../operations/redrive.ts";
import type { RoutePorts } from "../../ports.ts";
import { countDeadLetters } from "../deadLetterCounts.ts";
import { openDeadLetters } from "../deadLetters.ts";
import { insertRedrive } from "../redrives.ts";
import { refuseWrongStates, type SelectionFilters, toFilters } from "../selection.ts";

type RedrivePorts = Pick<RoutePorts, "postgres" | "clock">;

/**
 * Notes the redrive down, for the projector to carry out; a record that was redriven before is not selected, so that the same
 * call again writes nothing. With `dryRun` it only returns what validation would say.
 */
export async function redriveSelection(request: RedriveRequest, once: OnceCall, ports: RedrivePorts): Promise<Answer> {
  const { account, scopes } = once.caller;
  const { select, patch, dryRun } = request;
  const filters = toFilters(select, account);
  if (dryRun === true) {
    const context = { account, patch, scopes, nowMs: ports.clock.nowMs() };
    return withSnapshot(ports.postgres, (session) => trialOf(session, filters, context));
  }
  const selected = await countSelected(ports.postgres, filters);
  return noteDown(once, filters, { patch, selected, ...ports });
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
function noteDown(
  once: OnceCall,
  { account, ...selection }: SelectionFilters,
  { patch: given, selected, postgres, clock }: RedrivePorts & NotedDown,
): Promise<Answer> {
  const patch = given === undefined ? null : JSON.stringify(given);
  const { scopes, id: madeBy } = once.caller;
  return runOnce(postgres, once, async (transaction) => {
    const id = newJobId();
    const made = { id, account, selection, patch, scopes, madeBy, createdAt: clock.nowMs(), selected };
    await insertRedrive(transaction, made);
    const kept = { jobId: id };
    return { kept, answer: { status: 202, body: kept, headers: { Location: `/v2/jobs/${id}` } } };
  });
}

interface NotedDown {
  readonly patch: RedriveRequest["patch"];
  readonly selected: number;
}

async function tryThem(session: Session, filters: SelectionFilters, context: RedriveContext) {
  const letters = openDeadLetters(session, filters, redriveTrial.judged);
  const { failures, ...counts } = await tryRedrives(letters, context);
  const wouldFail = failures.map(({ id, code, path, message }) => {
    return { id, code, message: path === "" ? message : `${path}: ${message}` };
  });
  return { ...counts, wouldFail };
}
