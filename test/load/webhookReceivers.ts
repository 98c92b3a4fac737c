import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { z } from "zod";
import { serveTasks } from "./processes/serveTasks.ts";
import { receiversTask } from "./tasks/webhookTasks.ts";

/** Process: receivers of webhooks, one a path. They take everything, and know when. */
const delivery = z.object({ timestamp: z.string() });
let hanging = "";
let at: number[] = [];
let of: number[] = [];

const server = createServer(async (request, response) => {
  if (request.url === hanging) return;
  const { timestamp } = delivery.parse(await json(request));
  at.push(Date.now());
  of.push(Date.parse(timestamp));
  response.end();
});

serveTasks(async (input) => {
  const task = receiversTask.parse(input);
  if (task.kind === "count") return { calls: at.length };
  if (task.kind === "take") {
    const taken = { at: Float64Array.from(at), of: Float64Array.from(of) };
    [at, of] = [[], []];
    return taken;
  }
  hanging = task.hanging;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return z.object({ port: z.number() }).parse(server.address());
});
