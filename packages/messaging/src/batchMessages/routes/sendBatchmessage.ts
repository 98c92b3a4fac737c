import { checkAndRunOnce, type OnceCall } from "@headwater/api/idempotency/runOnce";
import { etagOf, expectVersion } from "@headwater/api/writing/ifMatch";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { type Account, findEnabledTest } from "@headwater/contracts";
import type { CriteriaNode } from "@headwater/criteria";
import { type Answer, type Route, refusal } from "@headwater/http";
import { scheduleJob, startJob } from "@headwater/jobs/queue/startJob";
import type { ErrorDetail } from "@headwater/kernel";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { retryOnConflict, WriteConflict } from "@headwater/postgres/connection/writeConflict";
import { readView } from "@headwater/records/contacts/routes/getContact";
import { freezeExperiment } from "../../frozen/frozenExperiment.ts";
import { defaultOnUnknown, type FrozenMessage } from "../../frozen/frozenMessage.ts";
import type { StoredContent } from "../../frozen/storedContent.ts";
import { invalidContent } from "../../messages/prepareParts.ts";
import { type RenderPorts, renderStored } from "../../messages/renderStored.ts";
import { problemOfSenders } from "../../messages/senderDomain.ts";
import { readDefaultTransport, type StoredTransport, transports } from "../../transports/postgres.ts";
import { problemsOfTransport } from "../../transports/problemsOfTransport.ts";
import { lockBatchMessage, readBatchMessage, type StoredBatchMessage } from "../batchMessages.ts";
import { notNow } from "../callRefused.ts";
import { examineGoal } from "../examineGoal.ts";
import { checkAudience, checkedAudience, checkStoredAudience } from "../messageAudience.ts";
import type { MessageSettings } from "../messageMembers.ts";
import type { SendPorts } from "../messagePorts.ts";
import { messageParams, stateExample, stateShape, unknownMessage, versionOfMessage } from "../messageView.ts";
import { refuseChild } from "../refuseChild.ts";
import { startBatchMessage } from "../startMessages.ts";
import { readMessageContent, readMessageSettings, type StoredMessageContent } from "../storedMessage.ts";
import { evaluateCall, statusOfSend } from "../transitions.ts";
import { earliestInZones } from "../zones.ts";

interface ContentToRender {
  readonly content: StoredMessageContent;
  readonly channel: string;
  readonly classification: "promotional" | "transactional";
  readonly about: Readonly<Record<string, unknown>>;
  /** Id of a contact of the audience. */
  readonly contact: string;
  readonly account: Account;
  readonly transport: StoredTransport;
}

/**
 * Renders a message and each of its variants for one contact of the audience.
 * @throws HeadwaterError 422 `VALIDATION_ERROR`: `render_failed`, a missing unsubscribe link, a sender that the transport does not carry.
 */
async function checkRendered(
  { content: { base, variants }, transport, contact: key, ...shared }: ContentToRender,
  ports: RenderPorts,
): Promise<void> {
  const contact = await readView(key, shared.account, ports);
  const { requireUnsubscribeLink } = shared.account.settings.messaging;
  for (const content of [base, ...variants]) {
    const { headers, warnings } = await renderStored({ ...shared, contact, content }, ports);
    const problems = [
      ...(requireUnsubscribeLink && warnings.some(({ code }) => code === "no_unsubscribe_link")
        ? [noWayOut(content)]
        : []),
      problemOfSenders(transport, headers.fromEmail === undefined ? [] : [headers.fromEmail]) ?? [],
    ].flat();
    if (problems.length > 0) throw invalidContent(problems);
  }
}

function noWayOut({ message }: StoredContent): ErrorDetail {
  const part = message.content["text/mjml"] === undefined ? "text~1html" : "text~1mjml";
  const text = "A promotional message must hold the link `{{ links.unsubscribe }}`.";
  return { path: `/message/content/${part}`, code: "required", message: text };
}

/** Parts of a message that `/send` checked. */
interface CheckedSend {
  readonly content: StoredMessageContent;
  readonly transportId: string;
  /** Criteria of the contacts that reach the goal of its experiment; undefined without one. */
  readonly goal: CriteriaNode | undefined;
}

/** Returns a message as senders read it. Its includes are read when it starts. */
export function freezeMessage(
  message: StoredBatchMessage,
  { content: { base, variants }, transportId, goal }: CheckedSend,
): FrozenMessage {
  const settings = readMessageSettings(message);
  const { classification, name, bcc, bccEnabled, onUnknown, strict, trackOpens, priority } = settings;
  const experiment = freezeExperiment(settings.tests, variants, goal);
  return {
    ...{ channel: message.channel, classification, content: base, includes: {}, transportId, trackOpens, priority },
    ...{ trackLinks: settings.trackLinks === "enabled", bcc: bccEnabled ? bcc : null, tags: [...(message.tags ?? [])] },
    audienceKeys: message.audienceKey === null ? [] : [message.audienceKey],
    ...{ name: name ?? "", key: null, strict, onUnknown: onUnknown ?? defaultOnUnknown(classification) },
    ...(settings.perMinute !== null && { perMinute: settings.perMinute }),
    ...(settings.vanityDomainKey !== null && { vanityDomainKey: settings.vanityDomainKey }),
    holdoutPercent: settings.entry.holdoutPercent ?? 0,
    ...(experiment !== undefined && { experiment }),
  };
}

/** Returns the transport that a message goes out by. @throws HeadwaterError 422 `TRANSPORT_REQUIRED` when there is none that is enabled. */
export async function outwardTransport(
  session: Session,
  { account, channel, transportId }: Pick<StoredBatchMessage, "account" | "channel" | "transportId">,
): Promise<StoredTransport> {
  const found =
    transportId === null
      ? await readDefaultTransport(session, account, channel)
      : await transports.read(session, { account, key: transportId });
  if (found?.enabled === true) return found;
  throw refusal("TRANSPORT_REQUIRED", `The channel ${JSON.stringify(channel)} has no transport that is enabled.`);
}

/** Returns what is wrong with the domain of a message's links: the account has none of that key. */
export function problemOfDomain(
  { vanityDomainKey }: Pick<MessageSettings, "vanityDomainKey">,
  { settings }: Account,
): ErrorDetail | undefined {
  if (vanityDomainKey === null || Object.hasOwn(settings.messaging.domains, vanityDomainKey)) return undefined;
  const message = "The account's `messaging.domains` have no such key.";
  return { path: "/vanityDomainKey", code: "bad_value", message };
}

interface SendCall {
  readonly id: string;
  readonly ifMatch: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Sends a draft, or schedules it. Throws 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT` or `INVALID_STATE_TRANSITION`, 422
 * `TRANSPORT_REQUIRED`, `INVALID_AUDIENCE_RULES`, `VALIDATION_ERROR`. A message that others changed meanwhile is evaluated again.
 */
function sendMessage(call: OnceCall, { id, ifMatch, signal }: SendCall, ports: SendPorts): Promise<Answer> {
  const { account } = call.caller;
  return retryOnConflict(() =>
    checkAndRunOnce(ports.postgres, call, {
      async check() {
        const { number } = account;
        await refuseChild(ports.postgres, { account: number, id, call: "send", nowMs: ports.clock.nowMs() });
        const found = await readBatchMessage(ports.postgres, number, id);
        if (found === undefined) throw unknownMessage();
        expectVersion(ifMatch, versionOfMessage(found));
        const result = evaluateCall(found.status, "send");
        if (result.kind === "refused") throw notNow("send", result);
        return {
          found,
          prepared: result.kind === "go" ? await prepareSend(found, { account, signal }, ports) : undefined,
        };
      },
      async write(transaction, { found, prepared }) {
        const known = await lockBatchMessage(transaction, account.number, id);
        if (known === undefined) throw unknownMessage();
        expectVersion(ifMatch, versionOfMessage(known));
        const now = evaluateCall(known.status, "send");
        if (now.kind === "refused") throw notNow("send", now);
        if (now.kind === "holds") return answerOf(known);
        if (prepared === undefined || known.updatedAt !== found.updatedAt) {
          throw new WriteConflict("the message was changed meanwhile");
        }
        const started = await start(
          transaction,
          { message: known, prepared, madeBy: call.caller.id },
          { ...ports, timezone: account.settings.timezone },
        );
        return answerOf({ ...known, ...started });
      },
    }),
  );
}

function answerOf(message: StoredBatchMessage) {
  const { id, status, job } = message;
  const body = { success: true, id, status, ...(job !== null && { jobId: job }) };
  return { answer: { status: 200, body, headers: { ETag: etagOf(versionOfMessage(message)) } }, kept: body };
}

type PreparedSend = Awaited<ReturnType<typeof prepareSend>>;

/** Checks all that a send needs, before anything is locked. */
async function prepareSend(
  message: StoredBatchMessage,
  { account, signal }: { readonly account: Account; readonly signal: AbortSignal },
  ports: SendPorts,
) {
  const settings = readMessageSettings(message);
  const transport = await outwardTransport(ports.postgres, message);
  if (message.content === null) throw invalidContent([wrong("/message", "required", "`message` is required.")]);
  const domain = problemOfDomain(settings, account);
  if (domain !== undefined) throw invalidContent([domain]);
  const goal = await checkedGoal(message, settings, { account, ports });
  const content = readMessageContent(message.content);
  const node = await checkedAudience(message, account, ports);
  const { allowEmpty } = settings;
  const look = allowEmpty ? checkAudience : checkStoredAudience;
  const asksZones = settings.scheduleType === "contact" && message.scheduleAt !== null;
  const looking = { account, signal, nowMs: ports.clock.nowMs(), asksZones };
  const { count, sample, zones } = await look(node, looking, ports);
  if (count === 0 && !allowEmpty) throw invalidContent([wrong("/audience", "bad_value", "The audience is empty.")]);
  const { classification, name } = settings;
  const about = { id: message.id, name, channel: message.channel, classification };
  const render = { content, channel: message.channel, classification, about, account, transport };
  if (sample !== undefined) await checkRendered({ ...render, contact: sample }, ports);
  return {
    transport,
    node,
    frozen: freezeMessage(message, { content, transportId: transport.id, goal }),
    zones,
  };
}

/** Checks the goal of the experiment with what the account knows now. @throws HeadwaterError 422 `VALIDATION_ERROR`. */
async function checkedGoal(
  { scheduleAt }: StoredBatchMessage,
  { tests }: ReturnType<typeof readMessageSettings>,
  { account, ports }: { readonly account: Account; readonly ports: SendPorts },
): Promise<CriteriaNode | undefined> {
  const found = findEnabledTest(tests);
  const goal = found?.test.goal;
  if (goal === undefined) return undefined;
  const since = Math.max(scheduleAt ?? 0, ports.clock.nowMs());
  const examined = await examineGoal(goal, { account, since, at: `/tests/${found?.place}/goal` }, ports);
  if (examined.kind === "invalid") throw invalidContent(examined.details);
  return examined.criteria;
}

function wrong(path: string, code: string, message: string): ErrorDetail {
  return { path, code, message };
}

interface Starting {
  readonly message: StoredBatchMessage;
  readonly prepared: PreparedSend;
  /** Id of the key that asked for it. */
  readonly madeBy: string;
}

/** Stores state and job. */
async function start(
  transaction: Transaction,
  { message, prepared: { transport, node, frozen, zones }, madeBy: createdBy }: Starting,
  { clock, queue, timezone }: Pick<SendPorts, "clock" | "queue"> & { readonly timezone: string },
) {
  const { account, id, channel, scheduleAt } = message;
  const problems = await problemsOfTransport(transaction, { account, channel, transportId: transport.id });
  if (problems.length > 0) throw invalidContent(problems);
  const nowMs = clock.nowMs();
  const isZoned = zones !== undefined && scheduleAt !== null;
  const first = isZoned ? earliestInZones({ scheduleAt, timezone }, zones) : scheduleAt;
  const status = statusOfSend(first, nowMs);
  const named = { account, jobName: "SendBatchMessage", input: { message: id }, metadata: { message: id } } as const;
  const job = { ...named, madeBy: createdBy, nowMs };
  const jobId = status === "scheduled" ? await scheduleJob(transaction, job) : await startJob(transaction, queue, job);
  const sendAt = status === "scheduled" && first !== null ? first : nowMs;
  const warnings = isZoned && first !== null && first <= nowMs ? ["zones_passed"] : [];
  const texts = { node: JSON.stringify(node), frozen: JSON.stringify(frozen) };
  const about = { account, id, status, transportId: transport.id, ...texts, job: jobId, sendAt, warnings };
  await startBatchMessage(transaction, about, nowMs);
  return { status, job: jobId };
}

export function sendBatchmessage(ports: SendPorts): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/batchmessages/{id}/send",
    operationId: "sendBatchmessage",
    summary: "Sends a draft at once, or at its schedule.",
    description:
      "The content is rendered for a contact of the audience first, and a promotional email must hold the link `links.unsubscribe`. An empty audience is a 422 unless `allowEmpty` is set. A message that is scheduled, pending or processing already stays so.",
    tags: ["batchmessages"],
    answers: {
      200: {
        description: "The message is `scheduled`, `pending` until a worker takes it, or `processing` already.",
        schema: stateShape,
        example: { ...stateExample, status: "pending", jobId: "65f0c0ffee65f0c0ffee0301" },
      },
      404: { description: "RECORD_NOT_FOUND: no batch message has this id." },
      409: { description: "INVALID_STATE_TRANSITION with `from` and `allowed`, or VERSION_CONFLICT" },
      422: { description: "TRANSPORT_REQUIRED, INVALID_AUDIENCE_RULES or VALIDATION_ERROR" },
    },
    scope: "batchmessages:write",
    dryRun: { class: "checked", starts: () => "unknown" },
    target: "id",
    params: messageParams,
    ifMatch: true,
    handler: ({ params: { id }, once, signal, header }) =>
      sendMessage(once, { id, ifMatch: header("if-match"), signal }, ports),
  });
}
