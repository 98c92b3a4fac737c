import type { RedriveRequest } from "@headwater/contracts";
import type { Answer, ApiKey } from "@headwater/http";
import { newJobId } from "@headwater/kernel";
import { type RedriveContext, redriveTrial, tryRedrives } from "@headwater/operations";
import { countDeadLetters, insertRedrive, openDeadLetters, type Session } from "@headwater/stores";
import { refuseWrongStates, type SelectionFilters, toFilters } from "../../deadLetters/selection.ts";
import type { ServicePorts } from "../../ports.ts";

/**
 * Notes the redrive down, for the projector to carry out; a record that was redriven before is not selected, so that the same
 * call again writes nothing. With `dryRun` only tells what the door would say.
 */
export async function redriveSelection(
  { select, patch, dryRun }: RedriveRequest,
  { account, scopes, id: madeBy }: ApiKey,
  { postgres, clock }: Pick<ServicePorts, "postgres" | "clock">,
): Promise<Answer> {
  const filters = toFilters(select, account);
  await refuseWrongStates(postgres, filters, "redriven");
  const nowMs = clock.nowMs();
  const selected = await countDeadLetters(postgres, { ...filters, statuses: ["open"] });
  if (dryRun === true) {
    const trial = await tryThem(postgres, filters, { account, patch, scopes, nowMs });
    return { status: 200, body: { ...trial, selected } };
  }
  const { account: _account, ...selection } = filters;
  const jobId = newJobId();
  await insertRedrive(postgres, {
    id: jobId,
    account: account.number,
    selection,
    patch: patch === undefined ? null : JSON.stringify(patch),
    scopes,
    madeBy,
    createdAt: nowMs,
    selected,
  });
  return { status: 202, body: { jobId }, headers: { Location: `/v2/jobs/${jobId}` } };
}

async function tryThem(session: Session, filters: SelectionFilters, context: RedriveContext) {
  const letters = openDeadLetters(session, filters, redriveTrial.judged);
  const { failures, ...counts } = await tryRedrives(letters, context);
  const wouldFail = failures.map(({ id, code, path, message }) => {
    return { id, code, message: path === "" ? message : `${path}: ${message}` };
  });
  return { ...counts, wouldFail };
}
