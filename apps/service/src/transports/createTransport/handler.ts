import type { Answer } from "@headwater/http";
import { newTransportId } from "@headwater/kernel";
import { recallSends } from "@headwater/stores/sends";
import { insertTransport, isTransportNameTaken, lockTransports } from "@headwater/stores/transports";
import { type OnceCall, runOnce } from "../../idempotency/runOnce.ts";
import { etagOf } from "../../writing/ifMatch.ts";
import { checkBody } from "../checkBody.ts";
import { eventsUrlOf } from "../eventsUrl.ts";
import { invalidTransport, settleSettings } from "../settleSettings.ts";
import type { TransportPorts } from "../transportPorts.ts";
import {
  nameTaken,
  problemsOfMembers,
  transportWritten,
  usualTransport,
  versionOfTransport,
} from "../transportView.ts";
import type { NewTransport } from "./schema.ts";

const NO_STORE = { "Cache-Control": "no-store" } as const;

/** Throws 422 `VALIDATION_ERROR` for wrong settings, `KEY_MUST_BE_UNIQUE` for a name that is taken. */
export async function makeTransport(
  call: OnceCall,
  { name, channel, type, settings = {}, ...given }: NewTransport,
  ports: TransportPorts,
): Promise<Answer> {
  const { postgres, clock, isDevelopment } = ports;
  const { number: account, id: accountId } = call.caller.account;
  const isDefault = given.default ?? usualTransport.default;
  const enabled = given.enabled ?? usualTransport.enabled;
  const problems = problemsOfMembers({ channel, type, isDefault }, isDevelopment);
  if (problems.length > 0) throw invalidTransport(problems);
  const id = newTransportId();
  const wanted = { type, given: settings, accountId, transportId: id };
  const settled = settleSettings(wanted, ports);
  await checkBody(account, settings, ports);
  const transport = { account, id, name, channel, type, settings: settled, isDefault, enabled };
  const answer = await runOnce(postgres, call, async (transaction) => {
    await lockTransports(transaction, account);
    if (await isTransportNameTaken(transaction, transport, name)) throw nameTaken(name);
    await insertTransport(transaction, transport, clock.nowMs());
    // Messages that name no transport wait for the rates of the former default.
    if (isDefault) await recallSends(transaction, account, "rate");
    const kept = { success: true, id };
    return { answer: { status: 201, body: kept, headers: { ETag: etagOf(versionOfTransport(transport)) } }, kept };
  });
  return withEventsUrl(answer, type, ports);
}

/** Adds the address for events, which holds a secret and so is not kept with the answer: a repeat makes it anew. */
function withEventsUrl(answer: Answer, type: NewTransport["type"], ports: TransportPorts): Answer {
  if (answer.status !== 201) return answer;
  const body = transportWritten.parse(answer.body);
  const added = eventsUrlOf({ id: body.id, type }, ports);
  if (added.eventsUrl === undefined) return answer;
  return { ...answer, body: { ...body, ...added }, headers: { ...answer.headers, ...NO_STORE } };
}
