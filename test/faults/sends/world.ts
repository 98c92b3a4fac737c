import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createPostgres } from "@headwater/postgres/connection/postgres";
import { startSmtpServer } from "@headwater/testing";
import { testHomeFolder } from "../../../infra/src/index.ts";
import { createApps } from "../harness/apps.ts";
import { createCalls } from "../harness/calls.ts";
import { addAccount, type GroundOptions, prepareGround, quiet } from "../harness/services.ts";
import { installGates } from "../jobs/gates.ts";
import { installSendGates } from "./gates.ts";
import { createPeople, seedPeople } from "./people.ts";
import { LEASE_SECONDS, type SendsGround } from "./sendsGround.ts";

/** Ports above Kafka's and those of the other services. */
const APP_PORTS_ABOVE = 30;
const SENDERS = 2;
const CONNECTIONS = 8;
const TRACKER_PORT_ABOVE = 22;
const SCOPES = ["intake", "read", "write", "admin"];
const CLOCK = fileURLToPath(new URL("./jumpingClock.ts", import.meta.url));

export interface SendsGroundOptions extends Pick<GroundOptions, "hasPlainActivities"> {
  readonly count: number;
  readonly perSecond: number | undefined;
  readonly say: (line: string) => void;
}

/** @param perSecond rate of the transport, so that a short run has time for its faults. */
export async function startSendsGround(
  name: string,
  { count, perSecond, say, ...options }: SendsGroundOptions,
): Promise<SendsGround> {
  const [ground, smtp] = await Promise.all([prepareGround(name, say, options), startSmtpServer()]);
  const keyFile = join(testHomeFolder, name, "settings.key");
  mkdirSync(join(testHomeFolder, name), { recursive: true });
  writeFileSync(keyFile, Buffer.alloc(32, 7).toString("hex"));
  const firstPort = Number(ground.services.kafkaBrokers.split(":").at(-1)) + APP_PORTS_ABOVE;
  const env = {
    HEADWATER_SETTINGS_KEY_FILE: keyFile,
    HEADWATER_PRIVATE_TRANSPORTS: "127.0.0.0/8",
    HEADWATER_TRACKING_URL: `http://127.0.0.1:${firstPort + TRACKER_PORT_ABOVE}`,
  };
  const apps = createApps({ name, addresses: ground.services, firstPort, env });
  const lease = { HEADWATER_SEND_LEASE_SECONDS: String(LEASE_SECONDS) };
  // The first sender has a clock that jumps on demand.
  const senders = Array.from({ length: SENDERS }, (_, index) =>
    apps.sender(index, { ...lease, ...(index === 0 && { NODE_OPTIONS: `--import ${CLOCK}` }) }),
  );
  const patient = createPostgres({
    url: ground.services.postgresUrl,
    poolMax: 6,
    applicationName: "gates",
    statementTimeoutMs: 60_000,
    idleInTransactionTimeoutMs: 600_000,
    logger: quiet,
  });
  await installSendGates(patient);
  await installGates(patient);
  const all = [
    ...[apps.projector(0), apps.ingress(), apps.service(), apps.worker(), apps.worker(1), apps.tracker()],
    apps.automation(),
  ];
  await Promise.all([...all, ...senders].map((app) => app.start()));
  say("all processes are ready");
  const { account, apiKey } = await addAccount(ground.postgres, "sends", SCOPES);
  const calls = createCalls(apps, apiKey);
  const people = createPeople(count);
  await seedPeople({ ...calls, ground }, account.number, people);
  await calls.call("POST", "/v2/transports", {
    ...{ name: "main", channel: "email", type: "smtp", default: true },
    settings: {
      ...{ host: "127.0.0.1", port: smtp.port, tls: "none", connections: CONNECTIONS, fromDomains: ["example.com"] },
      ...(perSecond !== undefined && { perSecond }),
    },
  });
  say(`${people.length} people are there`);
  return {
    ...{ ground, apps, smtp, account, people, perSecond, patient, ...calls },
    senders: () => senders,
    async stop() {
      await apps.stop();
      await patient.close();
      await smtp.stop();
      await ground.stop();
    },
  };
}
