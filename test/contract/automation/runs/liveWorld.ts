import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import type { Account } from "@headwater/contracts";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { startSmtpServer, type TestSmtpServer, useServices } from "@headwater/testing";
import { z } from "zod";
import { testHomeFolder } from "../../../../infra/src/index.ts";
import { type Apps, createApps } from "../../../faults/harness/apps.ts";
import { addAccount } from "../../../faults/harness/services.ts";
import { type Fresh, freshClickHouse, freshPostgres } from "../../stores/fresh.ts";
import { prepareTopics } from "../../topics/prepareTopics.ts";

const services = useServices();
/** Distance from the ports of the services: beyond those of other suites that start processes. */
const PORTS_ABOVE = 10_600;
const portBase = Number(services.kafkaBrokers.split(":").at(-1)) + PORTS_ABOVE;
const created = z.looseObject({ orchestrationID: z.string() });

/** All of our processes over stores of their own, and a mail server. */
export interface LiveWorld {
  readonly apps: Apps;
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly account: Account;
  readonly mailServer: TestSmtpServer;
  call(
    method: "GET" | "POST" | "PUT" | "DELETE",
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: unknown }>;
  /** Sends an activity of a contact. */
  happen(email: string, name: string, properties?: object): Promise<void>;
  /** Writes attributes of a contact, which is created where it is missing. */
  upsert(email: string, attributes: object): Promise<void>;
  createTemplate(key: string): Promise<void>;
  /** Creates an orchestration, publishes it and enables it. @returns its id. */
  enable(draft: object): Promise<string>;
  close(): Promise<void>;
}

export async function startLiveWorld(name: string): Promise<LiveWorld> {
  await prepareTopics();
  const stores: [Fresh<Postgres>, Fresh<ClickHouse>] = await Promise.all([freshPostgres(), freshClickHouse()]);
  const [{ store: postgres }, { store: clickhouse }] = stores;
  const addresses = { ...services, postgresUrl: stores[0].url, clickhouseUrl: stores[1].url };
  const keyFile = join(testHomeFolder, `${name}.key`);
  mkdirSync(testHomeFolder, { recursive: true });
  writeFileSync(keyFile, Buffer.alloc(32, 7).toString("hex"));
  const env = {
    HEADWATER_SETTINGS_KEY_FILE: keyFile,
    HEADWATER_TRACKING_URL: "http://127.0.0.1:1",
    HEADWATER_PRIVATE_TRANSPORTS: "127.0.0.0/8",
  };
  const apps = createApps({ name, addresses, firstPort: portBase, env });
  const { account, apiKey } = await addAccount(postgres, name, ["intake", "read", "write", "admin"]);
  const mailServer = await startSmtpServer();
  const all = [apps.ingress(), apps.service(), apps.projector(0), apps.sender(0), apps.automation()];
  await Promise.all(all.map((one) => one.start()));
  const request = async (url: string, method: string, body?: unknown) => {
    const headers = {
      "x-api-key": apiKey,
      authorization: `Basic ${Buffer.from(`${apiKey}:`).toString("base64")}`,
      "content-type": "application/json",
    };
    const answer = await fetch(url, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
    return { status: answer.status, body: await answer.json() };
  };
  const call: LiveWorld["call"] = (method, path, body) =>
    request(`http://127.0.0.1:${apps.servicePort}${path}`, method, body);
  const settings = { host: "127.0.0.1", port: mailServer.port, tls: "none" };
  await expectOk(
    call("POST", "/v2/transports", { name: "main", channel: "email", type: "smtp", default: true, settings }),
  );
  return {
    ...{ apps, postgres, clickhouse, account, mailServer, call },
    async happen(email, action, properties = {}) {
      const contact = { identifiers: { email }, attributes: { name: email }, canBeCreated: true };
      const body = { contact, contactactivities: [{ name: action, time: new Date().toISOString(), properties }] };
      await expectOk(request(`http://127.0.0.1:${apps.ingressPort}/api/createContactactivities`, "POST", body));
    },
    async upsert(email, attributes) {
      const body = { identifiers: { email }, attributes, canBeCreated: true, canBeUpdated: true };
      await expectOk(request(`http://127.0.0.1:${apps.ingressPort}/api/upsertContact`, "POST", body));
    },
    async createTemplate(key) {
      const headers = { subject: key, fromEmail: "news@example.com", fromDesc: "Shop" };
      const content = { "text/html": "<p>{{ event.properties.sku }} {{ tone }}</p>" };
      const kind = { channel: "email", baseAggregation: "daily", classification: "transactional" };
      await expectOk(
        call("POST", "/v2/automationtemplates", { key, name: key, ...kind, message: { headers, content } }),
      );
    },
    async enable(draft) {
      const { actions, ...members } = { actions: [], ...draft };
      const answer = await expectOk(
        call("POST", "/v2/orchestrations", { name: "live", ...members, composition: { draft: { actions } } }),
      );
      const { orchestrationID: id } = created.parse(answer.body);
      await expectOk(call("PUT", `/v2/orchestrations/${id}`, { publish: true, status: true }));
      return id;
    },
    async close() {
      await apps.stop();
      await mailServer.stop();
      await Promise.all(stores.map((store) => store.drop()));
    },
  };
}

async function expectOk(answering: ReturnType<LiveWorld["call"]>) {
  const answer = await answering;
  if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
}
