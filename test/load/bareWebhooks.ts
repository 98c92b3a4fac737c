import { once } from "node:events";
import { Agent, request } from "node:http";
import { Webhook } from "standardwebhooks";
import { serveTasks } from "./processes/serveTasks.ts";
import { bareWebhooksTask } from "./tasks/webhookTasks.ts";

/** Process: a limit of webhooks. A loop that signs and posts by Node's client, and keeps nothing. */
const signer = new Webhook(Buffer.alloc(32, 7).toString("base64"));
const agent = new Agent({ keepAlive: true });
let posted = 0;

serveTasks(async (input) => {
  const { urls, callsEach, openEach, body } = bareWebhooksTask.parse(input);
  const [startedAtMs, cpu] = [performance.now(), process.cpuUsage()];
  await Promise.all(
    urls.flatMap((url) =>
      Array.from({ length: openEach }, async (_, at) => {
        for (let call = at; call < callsEach; call += openEach) await post(url, body);
      }),
    ),
  );
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - startedAtMs) / 1_000;
  return { events: urls.length * callsEach, seconds, cpuSeconds: (user + system) / 1_000_000 };
});

async function post(url: string, body: string): Promise<void> {
  const id = `msg_${posted++}`;
  const now = new Date();
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
    "webhook-signature": signer.sign(id, now, body),
  };
  const call = request(url, { method: "POST", agent, headers });
  call.end(body);
  const [answer] = await once(call, "response");
  answer.resume();
  await once(answer, "end");
}
