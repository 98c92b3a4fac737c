import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestCertificate, useServices } from "@headwater/testing";
import {
  addressEnvironment,
  BoundedLog,
  freePort,
  Guard,
  type Program,
  rootFolder,
  SupervisedProcess,
  scriptOf,
} from "../../../../infra/src/index.ts";
import { freshClickHouse, freshPostgres } from "../../stores/fresh.ts";
import { prepareTopics } from "../../topics/prepareTopics.ts";

/** Processes as they are shipped, with TLS of their own, over stores of their own. */
export async function startSecureProcesses(names: readonly ("ingress" | "service")[]) {
  const [postgres, clickHouse, certificate] = await Promise.all([
    freshPostgres(),
    freshClickHouse(),
    createTestCertificate(),
  ]);
  const services = useServices();
  await prepareTopics();
  const folder = await mkdtemp(join(tmpdir(), "headwater-processes-"));
  const [keyFile, certFile, secretFile] = ["key.pem", "cert.pem", "secret"].map((name) => join(folder, name));
  await writeFile(keyFile ?? "", certificate.key, { mode: 0o600 });
  await writeFile(certFile ?? "", certificate.cert);
  await writeFile(secretFile ?? "", "a secret of the tests");
  const env = {
    ...addressEnvironment({ ...services, postgresUrl: postgres.url, clickhouseUrl: clickHouse.url }),
    HEADWATER_SECRET_FILE: secretFile,
    HEADWATER_TLS_KEY_FILE: keyFile,
    HEADWATER_TLS_CERT_FILE: certFile,
    HEADWATER_DRAIN_SECONDS: "0",
    LOG_LEVEL: "warn",
  };
  const guard = new Guard();
  const started = await Promise.all(names.map((name, index) => start({ name, index, env, folder, guard })));
  return {
    postgres: postgres.store,
    certificate,
    certFile: certFile ?? "",
    keyFile: keyFile ?? "",
    ports: started.map(({ port }) => port),
    operationsPorts: started.map(({ operationsPort }) => operationsPort),
    async stop() {
      await Promise.all(started.map(({ supervised }) => supervised.stop()));
      guard.close();
      await Promise.all([postgres.drop(), clickHouse.drop(), rm(folder, { recursive: true })]);
    },
  };
}

interface Plan {
  readonly name: Program;
  readonly index: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly guard: Guard;
}

async function start({ name, index, env, folder, guard }: Plan) {
  const [port, operationsPort] = [await freePort(), await freePort()];
  const ports = { HEADWATER_PORT: String(port), HEADWATER_OPERATIONS_PORT: String(operationsPort) };
  const supervised = new SupervisedProcess({
    name: `${name}-${index}`,
    plan: async () => ({
      command: process.execPath,
      args: [scriptOf(name)],
      cwd: rootFolder,
      env: { ...process.env, ...env, ...ports },
    }),
    isReady: async (signal) => (await fetch(`http://127.0.0.1:${operationsPort}/ready`, { signal })).ok,
    log: new BoundedLog(join(folder, `${name}-${index}.log`)),
    guard,
    autoRestart: false,
  });
  await supervised.start();
  return { port, operationsPort, supervised };
}
