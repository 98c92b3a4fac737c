import { join } from "node:path";
import { cacheFolder } from "../bootstrap/places.mjs";
import { greenmailVersion } from "../bootstrap/versions.mjs";
import type { OnProgress } from "./definition.ts";
import { bareEnvironment, javaCommand } from "./environment.ts";
import { fetchWithMaven } from "./fetchWithMaven.ts";
import { freePort } from "./ports.ts";
import { JAVA, pomOf, startServer } from "./storageServers.ts";
import type { ProcessPlan } from "./supervisedProcess.ts";

/** A mail server for tests, of other authors (GreenMail). It takes mail for everybody and keeps it in memory. */
export interface MailServer {
  readonly smtpPort: number;
  readonly imapPort: number;
  /** Address of its HTTP interface: `GET /api/user/<address>/messages` lists the mails of a mailbox. */
  readonly url: string;
  stop(): Promise<void>;
}

export interface MailPorts {
  readonly smtp: number;
  readonly imap: number;
  /** Port of the HTTP interface. */
  readonly api: number;
}

const HOST = "127.0.0.1";
const MAIN = "com.icegreen.greenmail.standalone.GreenMailStandaloneRunner";

/** Brings GreenMail into the cache; returns at once when it is there. */
export function fetchMailServer(cache: string, onProgress: OnProgress, signal?: AbortSignal): Promise<void> {
  const title = `GreenMail ${greenmailVersion} (10 MB)`;
  const proof = `greenmail-standalone-${greenmailVersion}.jar`;
  return fetchWithMaven({ title, pom: pomOf("greenmail"), proof, folder: jarsIn(cache) }, onProgress, signal);
}

/** Plans the process that listens on the loopback. Its HTTP interface comes last: when it answers, all is there. */
export function planMailServer(cache: string, ports: MailPorts, env: NodeJS.ProcessEnv = process.env): ProcessPlan {
  return { command: javaCommand(env), args: argsOf(cache, ports), env: bareEnvironment(env) };
}

export async function startMailServer(env: NodeJS.ProcessEnv = process.env): Promise<MailServer> {
  const cache = cacheFolder(env);
  await fetchMailServer(cache, () => undefined);
  const [smtp, imap] = [await freePort(), await freePort()];
  const { port, stop } = await startServer("greenmail", javaCommand(env), async ({ port: api }) =>
    argsOf(cache, { smtp, imap, api }),
  );
  return { smtpPort: smtp, imapPort: imap, url: `http://${HOST}:${port}`, stop };
}

function argsOf(cache: string, ports: MailPorts): string[] {
  const positions = Object.entries(ports).flatMap(([name, at]) => [
    `-Dgreenmail.${name}.hostname=${HOST}`,
    `-Dgreenmail.${name}.port=${at}`,
  ]);
  return [...JAVA, ...positions, "-Dgreenmail.auth.disabled", "-cp", join(jarsIn(cache), "*"), MAIN];
}

function jarsIn(cache: string): string {
  return join(cache, `greenmail-${greenmailVersion}`);
}
