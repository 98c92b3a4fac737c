import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import type { NewWebhookEvent } from "@headwater/api/webhookEvents/publishEvents";
import { publishEvents } from "@headwater/api/webhookEvents/publishEvents";
import type { DeliveryPorts } from "@headwater/automation/webhooks/deliverEvents";
import type { Account } from "@headwater/contracts";
import { createOutbound, createSealer, type ManualClock, manualClock } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { createTestCertificate } from "@headwater/testing";
import { z } from "zod";
import { type Running, startService } from "../../service/running.ts";
import { logger, postgresOn } from "../../stores/fresh.ts";

const CALLS_MAX = 256;
export const sealer = createSealer([Buffer.alloc(32, 7)]);

const callShape = z.object({
  path: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  at: z.number(),
});
export type ReceivedCall = z.output<typeof callShape>;

/** A receiver as a process of its own, over TLS. */
export interface Receiver {
  url(path: string): string;
  /** Calls so far, from its file. */
  received(path?: string): ReceivedCall[];
  /** Starts it again on its port, after it has died. */
  restart(): Promise<void>;
  stop(): void;
}

export async function startReceiver({ retryAfter }: { readonly retryAfter?: string } = {}): Promise<Receiver> {
  // Two authorities of one name are taken for each other.
  const { key, cert } = await createTestCertificate(`receiver ${randomUUID()}`);
  setDefaultCACertificates([...getCACertificates("default"), cert]);
  const file = join(mkdtempSync(join(tmpdir(), "headwater-hooks-")), "received.jsonl");
  const script = new URL("receiver.mjs", import.meta.url).pathname;
  let child: ChildProcess;
  let port = 0;
  const start = async () => {
    const options = JSON.stringify({ file, key, cert, retryAfter, port });
    // It ends with its input, so with this process.
    child = spawn(process.execPath, [script, options], { stdio: ["pipe", "pipe", "ignore"] });
    if (child.stdout === null) throw new Error("the receiver has an output");
    const [line] = await once(child.stdout, "data");
    port = Number(line);
  };
  await start();
  return {
    url: (path) => `https://127.0.0.1:${port}${path}`,
    received(path) {
      const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
      const calls = lines.filter((line) => line !== "").map((line) => callShape.parse(JSON.parse(line)));
      return path === undefined ? calls : calls.filter((call) => call.path === path);
    },
    restart: start,
    stop: () => void child.kill("SIGKILL"),
  };
}

/** The service with webhooks, and what delivers their events. */
export interface WebhookWorld {
  readonly service: Running;
  readonly clock: ManualClock;
  /** Creates an account with a key that may do everything. */
  owner(): Promise<Owner>;
  /** Ports of a further process that delivers, with connections of its own. */
  deliverer(): DeliveryPorts;
  create(account: Owner, body: object): Promise<{ readonly id: string; readonly secret: string }>;
  publish(account: Account, ...events: readonly Partial<NewWebhookEvent>[]): Promise<void>;
  deliveries(owner: Owner, id: string, query?: string): Promise<readonly Record<string, unknown>[]>;
  stop(): Promise<void>;
}

export interface Owner {
  readonly account: Account;
  readonly key: string;
}

export async function startWebhookWorld(): Promise<WebhookWorld> {
  const outbound = createOutbound({ allow: ["127.0.0.0/8"], connectionsPerHostMax: CALLS_MAX });
  const service = await startService({ sealer, outbound });
  const clock = manualClock(Date.now());
  const opened: Postgres[] = [];
  let number = 0;
  return {
    service,
    clock,
    async owner() {
      const { account } = await service.account();
      return { account, key: await service.key(account, { scopes: ["read", "write", "admin"] }) };
    },
    deliverer() {
      const postgres = postgresOn(service.postgresUrl);
      opened.push(postgres);
      return { postgres, outbound, sealer, clock, logger, onOutcome: () => undefined };
    },
    async create({ key }, body) {
      const made = await service.call(key, "/v2/webhooks", { method: "POST", body: { events: ["job.done"], ...body } });
      if (made.status !== 201) throw new Error(made.text);
      return { id: made.body.id, secret: made.body.secret };
    },
    async publish({ number: account }, ...events) {
      const nowMs = clock.nowMs();
      const whole = events.map((event): NewWebhookEvent => {
        number += 1;
        return { type: "job.done", source: `s${number}`, at: nowMs, data: { n: number }, ids: { n: number }, ...event };
      });
      await service.postgres.transaction((transaction) => publishEvents(transaction, { account, nowMs }, whole));
    },
    deliveries: async ({ key }, id, query = "") =>
      (await service.call(key, `/v2/webhooks/${id}/deliveries${query}`)).body.data,
    async stop() {
      await Promise.all(opened.map((postgres) => postgres.close()));
      await outbound.close();
      await service.stop();
    },
  };
}
