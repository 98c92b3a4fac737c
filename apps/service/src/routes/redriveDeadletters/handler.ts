import type { RedriveRequest } from "@headwater/contracts";
import type { Answer, ApiKey } from "@headwater/http";
import { newJobId } from "@headwater/kernel";
import { type RedriveContext, redriveTrial, tryRedrives } from "@headwater/operations";
import { countDeadLetters, insertRedrive, openDeadLetters, type Session } from "@headwater/stores";
import { refuseWrongStates, type SelectionFilters, toFilters } from "../../deadLetters/selection.ts";
import { runOnce } from "../../idempotency/runOnce.ts";
import type { ServicePorts } from "../../ports.ts";

interface RedriveCall {
  readonly body: RedriveRequest;
  readonly caller: ApiKey;
  readonly requestId: string;
  /** The header `Idempotency-Key`. */
  readonly key: string | undefined;
}

type RedrivePorts = Pick<ServicePorts, "postgres" | "clock">;

/**
 * Notes the redrive down, for the projector to carry out; a record that was redriven before is not selected, so that the same
 * call again writes nothing. With `dryRun` only tells what the door would say.
 */
export async function redriveSelection(call: RedriveCall, ports: RedrivePorts): Promise<Answer> {
  const { account, scopes } = call.caller;
  const { select, patch, dryRun } = call.body;
  const filters = toFilters(select, account);
  await refuseWrongStates(ports.postgres, filters, "redriven");
  const selected = await countDeadLetters(ports.postgres, { ...filters, statuses: ["open"] });
  if (dryRun !== true) return noteDown(call, filters, { selected, ...ports });
  const trial = await tryThem(ports.postgres, filters, { account, patch, scopes, nowMs: ports.clock.nowMs() });
  return { status: 200, body: { ...trial, selected } };
}

/** Under an `Idempotency-Key` a repeat gets the same job. */
function noteDown(
  { body, caller, requestId, key }: RedriveCall,
  { account, ...selection }: SelectionFilters,
  { selected, postgres, clock }: RedrivePorts & { readonly selected: number },
): Promise<Answer> {
  const patch = body.patch === undefined ? null : JSON.stringify(body.patch);
  const { scopes, id: madeBy } = caller;
  return runOnce(postgres, { key, caller, route: ROUTE, body, requestId }, async (transaction) => {
    const id = newJobId();
    const made = { id, account, selection, patch, scopes, madeBy, createdAt: clock.nowMs(), selected };
    await insertRedrive(transaction, made);
    const kept = { jobId: id };
    return { kept, answer: { status: 202, body: kept, headers: { Location: `/v2/jobs/${id}` } } };
  });
}

const ROUTE = "POST /v2/deadletters/redrive";

async function tryThem(session: Session, filters: SelectionFilters, context: RedriveContext) {
  const letters = openDeadLetters(session, filters, redriveTrial.judged);
  const { failures, ...counts } = await tryRedrives(letters, context);
  const wouldFail = failures.map(({ id, code, path, message }) => {
    return { id, code, message: path === "" ? message : `${path}: ${message}` };
  });
  return { ...counts, wouldFail };
}
