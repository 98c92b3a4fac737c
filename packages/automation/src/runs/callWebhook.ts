import { webhookSecretContext } from "@headwater/contracts";
import { isSuccess, type PostOutcome, postSigned } from "@headwater/jobs/notices/postSigned";
import type { Node } from "../orchestrations/orchestration.ts";
import type { TaskContext, TaskEnd, TaskPorts } from "./taskContext.ts";
import type { Task } from "./taskRows.ts";

const BODY_CHARACTERS_MAX = 256 * 1024;

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
  const stored = account.settings.webhookSecret;
  const secret = stored && ports.sealer?.open(stored.sealed, webhookSecretContext(account.id));
  const secrets = secret === undefined ? [] : [secret];
  const post = { url: config.url, id: task.delivery ?? task.id, body, secrets, account: account.number };
  return endOf(await postSigned(post, ports));
}

/** A redirect is a failure: the address that was checked is the one that is called. */
function endOf({ status, isRefused, error = "" }: PostOutcome): TaskEnd {
  if (isSuccess(status)) return { result: "ok" };
  if (status === undefined) return { result: isRefused === true ? "refused" : "error", reason: error };
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
