import { join } from "node:path";
import { cacheFolder } from "../bootstrap/places.mjs";
import { greenmailVersion } from "../bootstrap/versions.mjs";
import { javaCommand } from "./environment.ts";
import { fetchWithMaven } from "./fetchWithMaven.ts";
import { freePort, JAVA, pomOf, startServer } from "./storageServers.ts";

/** A mail server for tests, of other authors (GreenMail). It takes mail for everybody and keeps it in memory. */
export interface MailServer {
  readonly smtpPort: number;
  readonly imapPort: number;
  /** Address of its HTTP interface: `GET /api/user/<address>/messages` lists the mails of a mailbox. */
  readonly url: string;
  stop(): Promise<void>;
}

const HOST = "127.0.0.1";
const MAIN = "com.icegreen.greenmail.standalone.GreenMailStandaloneRunner";

export async function startMailServer(env: NodeJS.ProcessEnv = process.env): Promise<MailServer> {
  const jars = join(cacheFolder(env), `greenmail-${greenmailVersion}`);
  const title = `GreenMail ${greenmailVersion} (10 MB)`;
  const proof = `greenmail-standalone-${greenmailVersion}.jar`;
  await fetchWithMaven({ title, pom: pomOf("greenmail"), proof, folder: jars }, () => undefined);
  const [smtpPort, imapPort] = [await freePort(), await freePort()];
  // The HTTP interface comes last: when it listens, all is there.
  const { port, stop } = await startServer("greenmail", javaCommand(env), async ({ port: apiPort }) => {
    const ports = { smtp: smtpPort, imap: imapPort, api: apiPort };
    const places = Object.entries(ports).flatMap(([name, at]) => [
      `-Dgreenmail.${name}.hostname=${HOST}`,
      `-Dgreenmail.${name}.port=${at}`,
    ]);
    return [...JAVA, ...places, "-Dgreenmail.auth.disabled", "-cp", join(jars, "*"), MAIN];
  });
  return { smtpPort, imapPort, url: `http://${HOST}:${port}`, stop };
}
