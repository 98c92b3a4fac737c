import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPostgres, type Postgres } from "@headwater/postgres/connection/postgres";
import { testHomeFolder } from "../../../infra/src/index.ts";
import { type StorageWorld, worlds } from "../../destinations/storageServers.ts";
import { type Apps, createApps } from "../harness/apps.ts";
import { type Calls, createCalls } from "../harness/calls.ts";
import { addAccount, type Ground, prepareGround, quiet } from "../harness/services.ts";
import { type BrittleStorage, startBrittleStorage } from "./brittleStorage.ts";
import { installGates } from "./gates.ts";

export interface JobsGround extends Calls {
  readonly ground: Ground;
  readonly apps: Apps;
  readonly outside: StorageWorld;
  readonly brittle: BrittleStorage;
  /** Connections that may be idle in a transaction for minutes. */
  readonly patient: Postgres;
  stop(): Promise<void>;
}

/** Ports above Kafka's and those of the other services. */
const APP_PORTS_ABOVE = 30;
const SCOPES = ["intake", "read", "write", "admin"];

export async function startJobsGround(name: string, onProgress: (line: string) => void): Promise<JobsGround> {
  const [ground, outside] = await Promise.all([prepareGround(name, onProgress), worlds.s3()]);
  const brittle = await startBrittleStorage(outside.port);
  const home = join(testHomeFolder, name);
  const keyFile = join(home, "settings.key");
  mkdirSync(home, { recursive: true });
  writeFileSync(keyFile, Buffer.alloc(32, 7).toString("hex"));
  const env = { HEADWATER_SETTINGS_KEY_FILE: keyFile, HEADWATER_OUTBOUND_ALLOW: "127.0.0.0/8" };
  const firstPort = Number(ground.services.kafkaBrokers.split(":").at(-1)) + APP_PORTS_ABOVE;
  const apps = createApps({ name, addresses: ground.services, firstPort, env });
  const patient = createPostgres({
    url: ground.services.postgresUrl,
    poolMax: 12,
    applicationName: "gates",
    statementTimeoutMs: 60_000,
    idleInTransactionTimeoutMs: 600_000,
    logger: quiet,
  });
  await installGates(patient);
  await Promise.all([apps.projector(0), apps.ingress(), apps.service(), apps.worker()].map((app) => app.start()));
  const { apiKey } = await addAccount(ground.postgres, "jobs", SCOPES);
  return {
    ...{ ground, apps, outside, brittle, patient },
    ...createCalls(apps, apiKey),
    async stop() {
      await apps.stop();
      await patient.close();
      await brittle.close();
      await outside.stop();
      await ground.stop();
    },
  };
}
