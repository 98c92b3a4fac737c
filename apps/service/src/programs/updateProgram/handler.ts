import { isDeepStrictEqual } from "node:util";
import type { Answer } from "@headwater/http";
import { lockProgram, updateProgram } from "@headwater/stores/programs";
import { type OnceCall, runOnce } from "../../idempotency/runOnce.ts";
import type { ServicePorts } from "../../ports.ts";
import { etagOf, expectVersion } from "../../writing/ifMatch.ts";
import { programRecord, readNamed, settleProgram, unknownProgram, versionOfProgram } from "../programView.ts";
import type { ProgramChanges } from "./schema.ts";

interface ProgramChange {
  readonly id: string;
  readonly changes: ProgramChanges;
  readonly ifMatch: string | undefined;
}

/** Throws 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT`, 422 when nothing is named any more. What changes nothing writes nothing. */
export function changeProgram(
  call: OnceCall,
  { id, changes, ifMatch }: ProgramChange,
  { postgres, clock }: Pick<ServicePorts, "postgres" | "clock">,
): Promise<Answer> {
  const account = call.caller.account.number;
  return runOnce(postgres, call, async (transaction) => {
    const known = await lockProgram(transaction, account, id);
    if (known === undefined) throw unknownProgram();
    expectVersion(ifMatch, versionOfProgram(known));
    const before = readNamed(known);
    const { name = known.name, messages = before.messages ?? null } = changes;
    const { orchestrations = before.orchestrations ?? null } = changes;
    const members = settleProgram(name, { messages, orchestrations });
    const { name: oldName, messages: oldMessages, orchestrations: oldOrchestrations } = known;
    const old = { name: oldName, messages: oldMessages, orchestrations: oldOrchestrations };
    if (!isDeepStrictEqual(members, old)) await updateProgram(transaction, { account, id, ...members }, clock.nowMs());
    const body = { success: true, id };
    const headers = { ETag: etagOf(versionOfProgram(members)) };
    return { answer: { status: 200, body, headers }, kept: body, stored: programRecord(known) };
  });
}
