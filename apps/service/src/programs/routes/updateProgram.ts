import { isDeepStrictEqual } from "node:util";
import type { Answer, Route } from "@headwater/http";
import * as programs from "@headwater/stores/programs";
import { z } from "zod";
import { type OnceCall, runOnce } from "../../idempotency/runOnce.ts";
import type { ServicePorts, WritePorts } from "../../ports.ts";
import { etagOf, expectVersion } from "../../writing/ifMatch.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import {
  programMembers,
  programParams,
  programRecord,
  programWritten,
  readNamed,
  settleProgram,
  unknownProgram,
  versionOfProgram,
  writtenExample,
} from "../programView.ts";

const body = z.object(programMembers).partial();
type ProgramChanges = z.output<typeof body>;

const requestExample = { name: "Spring sale 2026", messages: { tags: ["spring", "sale"] } };

interface ProgramChange {
  readonly id: string;
  readonly changes: ProgramChanges;
  readonly ifMatch: string | undefined;
}

/** Throws 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT`, 422 when nothing is named any more. What changes nothing writes nothing. */
function changeProgram(
  call: OnceCall,
  { id, changes, ifMatch }: ProgramChange,
  { postgres, clock }: Pick<ServicePorts, "postgres" | "clock">,
): Promise<Answer> {
  const account = call.caller.account.number;
  return runOnce(postgres, call, async (transaction) => {
    const known = await programs.lockProgram(transaction, account, id);
    if (known === undefined) throw unknownProgram();
    expectVersion(ifMatch, versionOfProgram(known));
    const before = readNamed(known);
    const { name = known.name, messages = before.messages ?? null } = changes;
    const { orchestrations = before.orchestrations ?? null } = changes;
    const members = settleProgram(name, { messages, orchestrations });
    const { name: oldName, messages: oldMessages, orchestrations: oldOrchestrations } = known;
    const old = { name: oldName, messages: oldMessages, orchestrations: oldOrchestrations };
    if (!isDeepStrictEqual(members, old))
      await programs.updateProgram(transaction, { account, id, ...members }, clock.nowMs());
    const body = { success: true, id };
    const headers = { ETag: etagOf(versionOfProgram(members)) };
    return { answer: { status: 200, body, headers }, kept: body, stored: programRecord(known) };
  });
}

export function updateProgram(ports: WritePorts): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/programs/{id}",
    operationId: "updateProgram",
    summary: "Updates a program. Absent members stay unchanged, `messages` and `orchestrations` are given as a whole.",
    tags: ["programs"],
    answers: {
      200: { description: "The updated program.", schema: programWritten, example: writtenExample },
      404: { description: "RECORD_NOT_FOUND: no program has this id." },
    },
    scope: "programs:write",
    target: "id",
    params: programParams,
    body,
    requestExample,
    ifMatch: true,
    returnsStored: true,
    handler: ({ params: { id }, body: changes, once, header }) =>
      changeProgram(once, { id, changes, ifMatch: header("if-match") }, ports),
  });
}
