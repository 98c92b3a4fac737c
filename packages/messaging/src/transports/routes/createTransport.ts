import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import { etagOf } from "@headwater/api/writing/ifMatch";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { type Answer, type ReadBody, type Route, readByHandler } from "@headwater/http";
import { newTransportId, safeParse } from "@headwater/kernel";
import { z } from "zod";
import { invalidContent } from "../../messages/prepareParts.ts";
import { recallSends } from "../../sends/recallSends.ts";
import { mistakesOfForeignTexts } from "../checkForeignTexts.ts";
import { eventsUrlOf } from "../eventsUrl.ts";
import { tryToSettle } from "../settleSettings.ts";
import type { TransportPorts } from "../transportPorts.ts";
import { insertTransport, isTransportNameTaken, lockTransports } from "../transports.ts";
import {
  nameTaken,
  problemsOfMembers,
  transportCreated,
  transportMembers,
  transportWritten,
  usualTransport,
  versionOfTransport,
  writtenExample,
} from "../transportView.ts";

const newTransport = z.object(transportMembers);
type NewTransport = z.output<typeof newTransport>;

const requestExample = {
  ...{ name: "Short messages", channel: "sms", type: "http", default: true },
  settings: {
    url: "https://sms.example.com/v1/messages",
    headers: { accept: "application/json" },
    accepted: { statuses: [200, 202], idPath: "id" },
    perSecond: 20,
  },
};

const NO_STORE = { "Cache-Control": "no-store" } as const;

/** Throws 422 `VALIDATION_ERROR` for wrong settings, `KEY_MUST_BE_UNIQUE` for a name that is taken. */
async function createTransportOnce(
  call: OnceCall,
  body: ReadBody<NewTransport>,
  ports: TransportPorts,
): Promise<Answer> {
  const { postgres, clock } = ports;
  const { number: account, id: accountId } = call.caller.account;
  const id = newTransportId();
  const { settled, ...given } = await readTransport(body, { account, accountId, transportId: id }, ports);
  const { name, channel, type } = given;
  const isDefault = given.default ?? usualTransport.default;
  const enabled = given.enabled ?? usualTransport.enabled;
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

interface TransportIds {
  readonly account: number;
  readonly accountId: string;
  readonly transportId: string;
}

/** Reads a transport with its settings as they are stored. @throws HeadwaterError 422 `VALIDATION_ERROR` for all that is wrong with any of them. */
async function readTransport(
  body: ReadBody<NewTransport>,
  { account, ...ids }: TransportIds,
  ports: TransportPorts,
): Promise<NewTransport & { readonly settled: string }> {
  const { type, settings } = safeParse(settingsOfType, body.given).data ?? {};
  const tried = type && tryToSettle({ type, given: settings ?? {}, ...ids }, ports);
  const problems = [
    ...(body.kind === "valid" ? problemsOfMembers(membersOf(body.content), ports.isDevelopment) : body.problems),
    ...(tried?.problems ?? []),
    ...(await mistakesOfForeignTexts(account, settings, ports)),
  ];
  if (body.kind === "invalid" || tried?.settled === undefined || problems.length > 0) throw invalidContent(problems);
  return { ...body.content, settled: tried.settled };
}

const settingsOfType = newTransport.pick({ type: true, settings: true });

function membersOf({ channel, type, default: isDefault }: NewTransport) {
  return { channel, type, isDefault: isDefault ?? usualTransport.default };
}

/** Adds the address for events, which holds a secret and so is not kept with the answer: a repeat makes it anew. */
function withEventsUrl(answer: Answer, type: NewTransport["type"], ports: TransportPorts): Answer {
  if (answer.status !== 201) return answer;
  const body = transportWritten.parse(answer.body);
  const added = eventsUrlOf({ id: body.id, type }, ports);
  if (added.eventsUrl === undefined) return answer;
  return { ...answer, body: { ...body, ...added }, headers: { ...answer.headers, ...NO_STORE } };
}

export function createTransport(ports: TransportPorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/transports",
    operationId: "createTransport",
    summary: "Creates a transport: a way out for the messages of a channel.",
    description:
      "A taken name is a 422 KEY_MUST_BE_UNIQUE. A default transport takes the place of the channel's former default.",
    tags: ["transports"],
    answers: {
      201: { description: "The transport was created.", schema: transportCreated, example: writtenExample },
    },
    scope: "transports:write",
    target: "id",
    // What is wrong with the settings is reported as well.
    body: readByHandler(newTransport),
    requestExample,
    handler: ({ body: given, once }) => createTransportOnce(once, given, ports),
  });
}
