import { isDeepStrictEqual } from "node:util";
import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import { etagOf, expectVersion } from "@headwater/api/writing/ifMatch";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Answer, Route } from "@headwater/http";
import type { ErrorDetail } from "@headwater/kernel";
import { z } from "zod";
import { recallSends } from "../../sends/recallSends.ts";
import { checkForeignTexts } from "../checkForeignTexts.ts";
import { invalidTransport, settleSettings } from "../settleSettings.ts";
import type { TransportPorts } from "../transportPorts.ts";
import * as transports from "../transports.ts";
import {
  nameTaken,
  problemsOfMembers,
  transportMembers,
  transportParams,
  transportRecord,
  transportWritten,
  unknownTransport,
  usualTransport,
  versionOfTransport,
  writtenExample,
} from "../transportView.ts";

const body = z.object(transportMembers).partial();
type TransportChanges = z.output<typeof body>;

const requestExample = { settings: { perSecond: 80 }, enabled: true };

interface TransportChange {
  readonly id: string;
  readonly changes: TransportChanges;
  readonly ifMatch: string | undefined;
}

/** Throws 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT`, 422 for wrong settings or a taken name. What changes nothing writes nothing. */
async function updateTransportOnce(
  call: OnceCall,
  { id, changes, ifMatch }: TransportChange,
  ports: TransportPorts,
): Promise<Answer> {
  const { number: account, id: accountId } = call.caller.account;
  const { postgres, clock } = ports;
  await checkForeignTexts(account, changes.settings, ports);
  return runOnce(postgres, call, async (transaction) => {
    await transports.lockTransports(transaction, account);
    const known = await transports.lockTransport(transaction, account, id);
    if (known === undefined) throw unknownTransport();
    expectVersion(ifMatch, versionOfTransport(known));
    const changed = changedTransport(known, changes, { accountId, ports });
    if (await transports.isTransportNameTaken(transaction, changed, changed.name)) throw nameTaken(changed.name);
    if (!isDeepStrictEqual(changed, known)) {
      await transports.updateTransport(transaction, changed, clock.nowMs());
      // Messages that name no transport may wait for the rates of the former default.
      await recallSends(transaction, account, "rate");
    }
    const body = { success: true, id };
    const headers = { ETag: etagOf(versionOfTransport(changed)) };
    return { answer: { status: 200, body, headers }, kept: body, stored: transportRecord(known, ports.sealer) };
  });
}

function changedTransport(
  known: transports.StoredTransport,
  changes: TransportChanges,
  { accountId, ports }: { readonly accountId: string; readonly ports: TransportPorts },
): transports.StoredTransport {
  const { type, channel } = known;
  const fixed = [...stays("channel", changes.channel, channel), ...stays("type", changes.type, type)];
  const { name = known.name } = changes;
  const isDefault = flagOf(changes.default, { before: known.isDefault, usual: usualTransport.default });
  const enabled = flagOf(changes.enabled, { before: known.enabled, usual: usualTransport.enabled });
  const problems = problemsOfMembers({ channel, type, isDefault }, ports.isDevelopment);
  if (fixed.length + problems.length > 0) throw invalidTransport([...fixed, ...problems]);
  const wanted = { type, given: changes.settings, before: known.settings, accountId, transportId: known.id };
  const settings = changes.settings === undefined ? known.settings : settleSettings(wanted, ports);
  return { ...known, name, settings, isDefault, enabled };
}

/** Returns a flag after a change: absent = unchanged, `null` = its usual value. */
function flagOf(
  given: boolean | null | undefined,
  { before, usual }: { readonly before: boolean; readonly usual: boolean },
): boolean {
  return given === undefined ? before : (given ?? usual);
}

function stays(member: string, given: string | undefined, stored: string): ErrorDetail[] {
  if (given === undefined || given === stored) return [];
  return [{ path: `/${member}`, code: "not_allowed", message: `\`${member}\` cannot be changed.` }];
}

export function updateTransport(ports: TransportPorts): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/transports/{id}",
    operationId: "updateTransport",
    summary: "Updates a transport. Absent members stay unchanged.",
    description:
      "`settings` go into those that are stored: `null` removes one, a secret written back as `{set, last4}` stays. `channel` and `type` cannot be changed.",
    tags: ["transports"],
    answers: {
      200: { description: "The updated transport.", schema: transportWritten, example: writtenExample },
      404: { description: "RECORD_NOT_FOUND: no transport has this id." },
    },
    scope: "transports:write",
    target: "id",
    params: transportParams,
    body,
    requestExample,
    ifMatch: true,
    returnsStored: true,
    handler: ({ params: { id }, body: changes, once, header }) =>
      updateTransportOnce(once, { id, changes, ifMatch: header("if-match") }, ports),
  });
}
