import { type Account, eventsUrlContext, providerEventTypes, storedTransports } from "@headwater/contracts";
import { type Answer, type Call, definePublicStreamRoute, type Route } from "@headwater/http";
import { type Counter, isInfrastructure, type Metrics, type Sealer, safeParse } from "@headwater/kernel";
import type { FrameProducer } from "@headwater/topics";
import { z } from "zod";
import type { StoredTransport } from "../../transports/postgres.ts";
import type { IncomingReader } from "../incoming/createIncomingReader.ts";
import { plainText } from "../routes/answers.ts";
import type { AnswerHelp } from "./helpAnswers.ts";
import { POSTED_BYTES_MAX } from "./postedBody.ts";
import { type Posted, providerRecords } from "./providerRecords.ts";
import type { NameWriters } from "./writersNumbers.ts";

/** A transport and its account. */
export interface ReportingTransport {
  readonly transport: Pick<StoredTransport, "id" | "channel" | "type" | "settings">;
  readonly account: Account;
}

export interface ProviderPorts {
  readonly reader: Pick<IncomingReader, "readEvents">;
  readonly sealer: Pick<Sealer, "isTokenOf">;
  readonly producer: Pick<FrameProducer, "append">;
  /** Rejects while the store is away. */
  readonly findTransport: (id: string) => Promise<ReportingTransport | undefined>;
  readonly answerHelp: AnswerHelp;
  readonly nameWriters: NameWriters;
  readonly metrics: Metrics;
}

const EVENTS_MAX = 1_000;
const RETRY_SECONDS = 30;
const params = z.object({ transportID: z.string().max(64), secret: z.string().max(256) });

/** `POST /t/in/{transportID}/{secret}`: events of a provider, and messages that persons wrote. Nothing is read before the secret is known. */
export function providerRoute(ports: ProviderPorts): Route {
  const counted = ports.metrics.counter({
    name: "headwater_tracker_provider_events_total",
    help: "Events that providers posted, by type; those that name no send of the account are dropped.",
    labels: ["type", "outcome"],
    values: { type: providerEventTypes, outcome: ["accepted", "dropped"] },
  });
  return definePublicStreamRoute({
    method: "POST",
    path: "/t/in/{transportID}/{secret}",
    operationId: "providerEvents",
    summary: "Takes events of a provider, and messages that persons wrote, by the mapping of the transport.",
    answers: {
      200: { description: "They are in the log.", schema: z.object({ accepted: z.number() }) },
      404: { description: "The secret is another one, or there is no such transport.", mediaType: "text/plain" },
      503: { description: "The log or the store is unavailable.", mediaType: "text/plain" },
    },
    params,
    bytesMax: POSTED_BYTES_MAX,
    bodySchema: { description: "As the provider sends it: JSON, or a form." },
    handler: (call) => run(ports, call, counted),
  });
}

async function run(ports: ProviderPorts, call: Call, counted: Counter): Promise<Answer> {
  const { success, data } = safeParse(params, call.params);
  if (!success || !ports.sealer.isTokenOf(eventsUrlContext(data.transportID), data.secret)) return unknown();
  try {
    const found = await ports.findTransport(data.transportID);
    return found === undefined ? unknown() : await take(ports, { call, found, counted });
  } catch (error) {
    if (!isInfrastructure(error)) throw error;
    return plainText(503, "Please try again.", { "Retry-After": String(RETRY_SECONDS) });
  }
}

const refusals = {
  unreadable: plainText(400, "The body is neither JSON nor a form."),
  "too-many": plainText(413, `A body may hold ${EVENTS_MAX} events.`),
  exhausting: plainText(422, "The body cannot be read by the mapping of the transport."),
} as const;

interface Taking {
  readonly call: Call;
  readonly found: ReportingTransport;
  readonly counted: Counter;
}

async function take(ports: ProviderPorts, { call, found, counted }: Taking): Promise<Answer> {
  const { transport, account } = found;
  const settings = transport.type === "http" ? storedTransports.http.parse(JSON.parse(transport.settings)) : {};
  const { events: mapping } = { events: undefined, ...settings };
  if (mapping === undefined) return plainText(422, "The transport has no mapping of events.");
  const bytes: Buffer[] = [];
  for await (const chunk of call.stream) bytes.push(chunk);
  const posted = {
    mapping,
    body: Buffer.concat(bytes),
    mediaType: call.header("content-type") ?? "",
    eventsMax: EVENTS_MAX,
  };
  const read = (await ports.reader.readEvents(account.number, posted)) ?? { kind: "exhausting" };
  if (read.kind !== "events") return refusals[read.kind];
  const events = await ports.nameWriters(read.events, { account, channel: transport.channel });
  const { requestId, receivedAtMs: nowMs } = call;
  const from: Posted = { account, transportId: transport.id, channel: transport.channel, requestId, nowMs };
  const { appends, accepted, answers } = providerRecords(events, from);
  for (const append of appends) await ports.producer.append(append);
  await ports.answerHelp(answers, nowMs);
  const taken = new Set(accepted);
  for (const event of events) counted.inc({ type: event.type, outcome: taken.has(event) ? "accepted" : "dropped" });
  return { status: 200, body: { accepted: accepted.length } };
}

function unknown(): Answer {
  return plainText(404, "Not found.");
}
