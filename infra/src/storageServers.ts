import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheFolder } from "../bootstrap/places.mjs";
import { s3proxyVersion, sshdVersion } from "../bootstrap/versions.mjs";
import { BoundedLog } from "./boundedLog.ts";
import { bareEnvironment, javaCommand, QUICK_START } from "./environment.ts";
import { fetchWithMaven } from "./fetchWithMaven.ts";
import { Guard } from "./guard.ts";
import { freePort } from "./ports.ts";
import { SupervisedProcess } from "./supervisedProcess.ts";

/** A server of files for tests: one that others wrote. `npm start` never starts it. */
export interface StorageServer {
  readonly port: number;
  /** The folder that it shows. */
  readonly folder: string;
  /** Ends it at once, as a power cut does; what it has stored stays. */
  kill(): Promise<void>;
  /** Starts it again after a kill, on the same port. */
  start(): Promise<void>;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

/** An S3 server that checks signatures and checksums (s3proxy on a folder). */
export interface S3Server extends StorageServer {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Options of a small virtual machine. */
export const JAVA = ["-Xms64m", "-Xmx256m", "-XX:+UseSerialGC", "-XX:-UsePerfData", QUICK_START];
export const pomOf = (name: string) => fileURLToPath(new URL(`../embedded/${name}/pom.xml`, import.meta.url));

export async function startS3Server(env: NodeJS.ProcessEnv = process.env): Promise<S3Server> {
  const jars = join(cacheFolder(env), `s3proxy-${s3proxyVersion}`);
  const wanted = {
    title: `s3proxy ${s3proxyVersion} (58 MB)`,
    pom: pomOf("s3proxy"),
    proof: `s3proxy-${s3proxyVersion}.jar`,
  };
  await fetchWithMaven({ ...wanted, folder: jars }, () => undefined);
  const credentials = { accessKeyId: "local-id", secretAccessKey: "local-secret-of-s3proxy" };
  const server = await startServer("s3proxy", javaCommand(env), async ({ port, home, folder }) => {
    const file = join(home, "s3proxy.conf");
    await writeFile(file, s3Properties({ port, folder, ...credentials }));
    return [...JAVA, "-DLOG_LEVEL=warn", "-cp", join(jars, "*"), "org.gaul.s3proxy.Main", "--properties", file];
  });
  return { ...server, ...credentials };
}

/** An SFTP server of Apache MINA: it takes every user whose password is his name. */
export async function startSftpServer(env: NodeJS.ProcessEnv = process.env): Promise<StorageServer> {
  const jars = join(cacheFolder(env), `sshd-${sshdVersion}`);
  const wanted = { title: `sshd-cli ${sshdVersion} (3 MB)`, pom: pomOf("sshd"), proof: `sshd-cli-${sshdVersion}.jar` };
  await fetchWithMaven({ ...wanted, folder: jars }, () => undefined);
  return startServer("sshd", javaCommand(env), async ({ port }) => {
    const main = "org.apache.sshd.cli.server.SshServerMain";
    return [...JAVA, "-cp", join(jars, "*"), main, "-p", String(port), "-key-type", "RSA"];
  });
}

/** An emulator of Azure Blob Storage that checks signatures (Azurite), with the account that every emulator has. */
export interface AzureServer extends StorageServer {
  readonly endpoint: string;
  readonly account: string;
  readonly accountKey: string;
}

export async function startAzureServer(): Promise<AzureServer> {
  const main = fileURLToPath(import.meta.resolve("azurite/dist/src/blob/main.js"));
  const server = await startServer("azurite", process.execPath, async ({ port, folder }) => {
    const location = ["--blobHost", "127.0.0.1", "--blobPort", String(port), "--location", folder];
    return [main, ...location, "--silent", "--skipApiVersionCheck", "--disableTelemetry"];
  });
  const account = "devstoreaccount1";
  // Published by its makers, the same everywhere.
  const accountKey = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
  return { ...server, account, accountKey, endpoint: `http://127.0.0.1:${server.port}/${account}` };
}

interface Prepared {
  readonly port: number;
  readonly home: string;
  readonly folder: string;
}

/** Starts a server and waits until it listens on the port that it was given. */
export async function startServer(
  name: string,
  command: string,
  argsOf: (prepared: Prepared) => Promise<string[]>,
): Promise<StorageServer> {
  const home = await mkdtemp(join(tmpdir(), `headwater-${name}-`));
  const folder = join(home, "files");
  await mkdir(folder);
  const port = await freePort();
  const args = await argsOf({ port, home, folder });
  const guard = new Guard();
  const server = new SupervisedProcess({
    name,
    plan: async () => ({ command, args, env: bareEnvironment(), cwd: home }),
    isReady: (signal) => isListening(port, signal),
    log: new BoundedLog(join(home, `${name}.log`)),
    guard,
    autoRestart: false,
  });
  const stop = async () => {
    await server.stop();
    guard.close();
    await rm(home, { recursive: true, force: true });
  };
  await server.start().catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const kill = async () => {
    server.kill("SIGKILL");
    await server.stop();
  };
  return { port, folder, kill, start: () => server.start(), stop };
}

function s3Properties(settings: {
  readonly port: number;
  readonly folder: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}): string {
  return `${[
    `s3proxy.endpoint=http://127.0.0.1:${settings.port}`,
    "s3proxy.authorization=aws-v2-or-v4",
    `s3proxy.identity=${settings.accessKeyId}`,
    `s3proxy.credential=${settings.secretAccessKey}`,
    "jclouds.provider=filesystem-nio2",
    `jclouds.filesystem.basedir=${settings.folder}`,
  ].join("\n")}\n`;
}

function isListening(port: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, signal });
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}
