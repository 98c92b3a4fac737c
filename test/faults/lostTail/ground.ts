import { join } from "node:path";
import { createTopicAdmin } from "@headwater/topics";
import { testHomeFolder } from "../../../infra/src/index.ts";
import { type Apps, createApps } from "../harness/apps.ts";
import { type Ground, prepareGround, quiet } from "../harness/services.ts";
import { cutTail } from "./cutTail.ts";

const APP_PORTS_ABOVE = 40;
export const TOPIC = "intake.records";

/** Ends of the partitions of a topic, by partition. */
export type Ends = ReadonlyMap<number, number>;

/** A whole installation whose broker may lose what it had acknowledged. */
export interface LostTailGround {
  readonly ground: Ground;
  readonly apps: Apps;
  /** Sends a contact with an activity. @returns its receipt. */
  send(email: string): Promise<string>;
  receipt(receipt: string): Promise<{ state: string; records: Record<string, number>; rejections: { code: string }[] }>;
  get(path: string): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }>;
  ends(topic?: string): Promise<Ends>;
  /** Stops the broker, cuts the topic's partitions to these ends, starts it again. */
  cut(to: Ends, topic?: string): Promise<void>;
  stop(): Promise<void>;
}

export async function lostTailGround(name: string, kafkaNodes: 1 | 3 = 1): Promise<LostTailGround> {
  const ground = await prepareGround(name, () => undefined, { kafkaNodes });
  const { services } = ground;
  const firstPort = Number(services.kafkaBrokers.split(":").at(-1)) + APP_PORTS_ABOVE;
  const apps = createApps({ name, addresses: services, firstPort });
  const processes = [apps.ingress(), apps.projector(0), apps.service()];
  await Promise.all(processes.map((one) => one.start()));
  const headers = { authorization: `Basic ${Buffer.from(`${ground.apiKey}:`).toString("base64")}` };
  const get: LostTailGround["get"] = async (path) => {
    const answer = await fetch(`http://127.0.0.1:${apps.servicePort}${path}`, { headers });
    return { status: answer.status, body: await answer.json() };
  };
  return {
    ground,
    apps,
    send: (email) => sendUntilTaken(apps.ingressPort, ground.apiKey, email),
    receipt: async (receipt) => (await get(`/v2/receipts/${receipt}`)).body,
    get,
    ends: (topic = TOPIC) => endsOf(services.kafkaBrokers, topic),
    async cut(to, topic = TOPIC) {
      const { kafka } = services.services;
      if (kafka === undefined) throw new Error("the broker is none of ours");
      kafka.kill("SIGKILL");
      await kafka.stop();
      const folder = join(testHomeFolder, name, "data", "kafka");
      for (const [partition, end] of to) cutTail(folder, `${topic}-${partition}`, end);
      await kafka.start();
    },
    async stop() {
      await apps.stop();
      await ground.stop();
    },
  };
}

async function endsOf(brokers: string, topic: string): Promise<Ends> {
  const admin = createTopicAdmin({ brokers: brokers.split(","), clientId: "lost-tail", logger: quiet });
  try {
    return new Map((await admin.watermarks(topic)).map(({ partition, high }) => [partition, high]));
  } finally {
    await admin.close();
  }
}

/** Sends like a producer: with Kafka away it retries. */
async function sendUntilTaken(port: number, key: string, email: string): Promise<string> {
  const contact = { identifiers: { email }, attributes: { tier: "gold" }, canBeCreated: true };
  const body = JSON.stringify({ contact, contactactivities: [{ name: "browse", time: "2026-01-01T00:00:00Z" }] });
  const headers = { "x-api-key": key, "content-type": "application/json" };
  for (;;) {
    const url = `http://127.0.0.1:${port}/api/createContactactivities`;
    const answer = await fetch(url, { method: "POST", headers, body });
    const parsed: ReturnType<typeof JSON.parse> = await answer.json();
    if (answer.status === 202) return parsed.receipt;
    if (answer.status !== 503) throw new Error(`${email} was answered ${answer.status}: ${JSON.stringify(parsed)}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
