import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OWNERS_FILE } from "../closedHome.ts";
import type { ServiceAddresses } from "../startServices.ts";

/** Content of connection.json: all addresses, and the demo account's key. */
export interface Connection extends ServiceAddresses {
  readonly ingressUrl: string;
  readonly serviceUrl: string;
  /** Null until there is such a process. */
  readonly assistantUrl: string | null;
  readonly consoleUrl: string | null;
  readonly operationsUrl: string;
  /** Begins the links of messages. */
  readonly trackingUrl: string;
  /** HTTP and SMTP of the demo's mail server; null where none was started. */
  readonly mailUrl: string | null;
  readonly mailSmtpUrl: string | null;
  readonly accountId: string;
  readonly apiKey: string | null;
}

export function connectionFile(home: string): string {
  return join(home, "connection.json");
}

/** Writes it whole, readable by its owner alone. */
export async function writeConnection(home: string, connection: Connection): Promise<void> {
  const file = connectionFile(home);
  await rm(`${file}.new`, { force: true });
  await writeFile(`${file}.new`, `${JSON.stringify(connection, undefined, 2)}\n`, { mode: OWNERS_FILE });
  await rename(`${file}.new`, file);
}
