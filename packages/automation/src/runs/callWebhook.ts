import { webhookSecretContext } from "@headwater/contracts";
import { requestOutside } from "@headwater/kernel";
import { Webhook } from "standardwebhooks";
import type { Node } from "../orchestrations/orchestration.ts";
import type { TaskContext, TaskEnd, TaskPorts } from "./taskContext.ts";
import type { Task } from "./taskRows.ts";

const TIMEOUT_MS = 15_000;
const BODY_CHARACTERS_MAX = 256 * 1024;
const ENCODED_PREFIX = "whsec_";

/**
 * Posts what a webhook node says, signed by the account's `webhookSecret` as Standard Webhooks say. All tries of a call have one `webhook-id`: one
 * that was made before a kill is repeated under it.
 * @returns `ok` for 2xx, `refused` for 4xx and for what will never be accepted, else `error`, which is tried again.
 */
export async function callWebhook(
  config: Extract<Node, { type: "webhook" }>["config"],
  task: Task,
  context: TaskContext,
  ports: TaskPorts,
): Promise<TaskEnd> {
  const body = await bodyOf(config.body, context, ports);
  if (body === undefined) return { result: "refused", reason: "The body renders to no JSON." };
  if (body.length > BODY_CHARACTERS_MAX) return { result: "refused", reason: "The body is too large." };
  const { account } = context;
  try {
    const answer = await requestOutside(config.url, {
      method: "POST",
      body,
      headers: headersOf(task.delivery ?? task.id, body, { context, ports }),
      outbound: ports.outbound.ofAccount(account.number),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // Nothing of the answer is read: the connection goes.
    answer.body.on("error", () => undefined).destroy();
    return endOfStatus(answer.status);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const isRefused = code === "OUTBOUND_REFUSED" || code === "IMPOSSIBLE_REQUEST";
    const reason = isRefused ? "The address may not be reached." : "The host does not answer.";
    return { result: isRefused ? "refused" : "error", reason };
  }
}

/** A redirect is a failure: the address that was checked is the one that is called. */
function endOfStatus(status: number): TaskEnd {
  if (status >= 200 && status < 300) return { result: "ok" };
  const reason = `The answer was ${status}.`;
  return { result: status >= 400 && status < 500 ? "refused" : "error", reason };
}

/** Returns the body, undefined where it renders to no JSON. One without Liquid says who came to the node, and by what. */
async function bodyOf(
  liquid: string | undefined,
  { account, run, contact, node }: TaskContext,
  { renders }: TaskPorts,
): Promise<string | undefined> {
  const { event, extVars } = run.start;
  if (liquid === undefined)
    return JSON.stringify({ type: "orchestration.node", data: { node: node.id, contact, event, extVars } });
  const { timezone, currency } = account.settings;
  const rendered = await renders.render(account.id, {
    ...{ channel: "http", headers: {}, includes: {}, timezone, currency, json: liquid },
    context: { ...extVars, contact, event, mergeData: extVars, extVars },
  });
  return "content" in rendered ? rendered.content["application/json"] : undefined;
}

interface Signing {
  readonly context: TaskContext;
  readonly ports: TaskPorts;
}

function headersOf(id: string, body: string, { context: { account }, ports: { sealer, clock } }: Signing) {
  const at = new Date(clock.nowMs());
  const stored = account.settings.webhookSecret;
  const secret = stored && sealer?.open(stored.sealed, webhookSecretContext(account.id));
  return {
    "content-type": "application/json",
    "user-agent": "headwater",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    ...(secret !== undefined && { "webhook-signature": signer(secret).sign(id, at, body) }),
  };
}

/** A secret `whsec_…` is base64, as the specification has it; any other text is taken as its bytes. */
function signer(secret: string): Webhook {
  return secret.startsWith(ENCODED_PREFIX) ? new Webhook(secret) : new Webhook(secret, { format: "raw" });
}
