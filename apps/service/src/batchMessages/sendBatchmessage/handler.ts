import type { CriteriaNode } from "@headwater/audience";
import { type Account, findEnabledTest } from "@headwater/contracts";
import { earliestInZones, judgeCall, statusOfSend } from "@headwater/domain/batchMessage";
import type { Answer } from "@headwater/http";
import type { ErrorDetail } from "@headwater/kernel";
import { retryOnConflict, WriteConflict } from "@headwater/projection";
import {
  lockBatchMessage,
  readBatchMessage,
  type StoredBatchMessage,
  startBatchMessage,
} from "@headwater/stores/batchMessages";
import { scheduleJob, startJob } from "@headwater/stores/jobs";
import type { Transaction } from "@headwater/stores/postgres";
import { checkAndRunOnce, type OnceCall } from "../../idempotency/runOnce.ts";
import { invalidContent } from "../../messages/prepareParts.ts";
import { problemsOfTransport } from "../../transports/problemsOfTransport.ts";
import { etagOf, expectVersion } from "../../writing/ifMatch.ts";
import { notNow } from "../callRefused.ts";
import { examineGoal } from "../examineGoal.ts";
import { checkedAudience, lookAtAudience, lookAtStoredAudience } from "../messageAudience.ts";
import type { SendPorts } from "../messagePorts.ts";
import { unknownMessage, versionOfMessage } from "../messageView.ts";
import { refuseChild } from "../refuseChild.ts";
import { readMessageContent, readMessageSettings } from "../storedMessage.ts";
import { checkRendered } from "./checkRendered.ts";
import { freezeMessage } from "./freezeMessage.ts";
import { outwardTransport } from "./outwardTransport.ts";
import { problemOfDomain } from "./problemOfDomain.ts";

interface SendCall {
  readonly id: string;
  readonly ifMatch: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Sends a draft, or schedules it. Throws 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT` or `INVALID_STATE_TRANSITION`, 422
 * `TRANSPORT_REQUIRED`, `INVALID_AUDIENCE_RULES`, `VALIDATION_ERROR`. A message that others changed meanwhile is judged anew.
 */
export function sendMessage(call: OnceCall, { id, ifMatch, signal }: SendCall, ports: SendPorts): Promise<Answer> {
  const { account } = call.caller;
  return retryOnConflict(() =>
    checkAndRunOnce(ports.postgres, call, {
      async check() {
        const { number } = account;
        await refuseChild(ports.postgres, { account: number, id, call: "send", nowMs: ports.clock.nowMs() });
        const found = await readBatchMessage(ports.postgres, number, id);
        if (found === undefined) throw unknownMessage();
        expectVersion(ifMatch, versionOfMessage(found));
        const verdict = judgeCall(found.status, "send");
        if (verdict.kind === "refused") throw notNow("send", verdict);
        return {
          found,
          prepared: verdict.kind === "go" ? await prepareSend(found, { account, signal }, ports) : undefined,
        };
      },
      async write(transaction, { found, prepared }) {
        const known = await lockBatchMessage(transaction, account.number, id);
        if (known === undefined) throw unknownMessage();
        expectVersion(ifMatch, versionOfMessage(known));
        const now = judgeCall(known.status, "send");
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
  const look = allowEmpty ? lookAtAudience : lookAtStoredAudience;
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
  { message, prepared: { transport, node, frozen, zones }, madeBy }: Starting,
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
  const job = { ...named, madeBy, nowMs };
  const jobId = status === "scheduled" ? await scheduleJob(transaction, job) : await startJob(transaction, queue, job);
  const sendAt = status === "scheduled" && first !== null ? first : nowMs;
  const warnings = isZoned && first !== null && first <= nowMs ? ["zones_passed"] : [];
  const texts = { node: JSON.stringify(node), frozen: JSON.stringify(frozen) };
  const about = { account, id, status, transportId: transport.id, ...texts, job: jobId, sendAt, warnings };
  await startBatchMessage(transaction, about, nowMs);
  return { status, job: jobId };
}
