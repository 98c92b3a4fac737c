import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "@headwater/kernel";
import { z } from "zod";
import { DemoFailure } from "./demoFailure.ts";

/** Address of the public API, and the key of the account that gets the data. */
export interface Connection {
  readonly ingressUrl: string;
  readonly serviceUrl: string;
  readonly apiKey: string;
  /** The mail server that campaigns go to; absent where none was started. */
  readonly mail?: { readonly mailUrl: string; readonly mailSmtpUrl: string };
}

const stored = z.object({
  ingressUrl: z.url(),
  serviceUrl: z.url(),
  apiKey: z.string().nullish(),
  mailUrl: z.url().nullish(),
  mailSmtpUrl: z.url().nullish(),
});

/** The environment first, then the `connection.json` of the running instance. Throws DemoFailure when something is missing. */
export function readConnection(env: Environment): Connection {
  const file = env.HEADWATER_CONNECTION_FILE || join(env.HEADWATER_HOME || ".headwater", "connection.json");
  const found = existsSync(file) ? stored.parse(JSON.parse(readFileSync(file, "utf8"))) : undefined;
  const { mailUrl, mailSmtpUrl } = found ?? {};
  return {
    ...(mailUrl && mailSmtpUrl && { mail: { mailUrl, mailSmtpUrl } }),
    ingressUrl: needed("HEADWATER_INGRESS_URL", env.HEADWATER_INGRESS_URL || found?.ingressUrl),
    serviceUrl: needed("HEADWATER_SERVICE_URL", env.HEADWATER_SERVICE_URL || found?.serviceUrl),
    apiKey: needed("HEADWATER_API_KEY", env.HEADWATER_API_KEY || found?.apiKey || undefined),
  };
}

function needed(name: string, value: string | undefined): string {
  if (value !== undefined) return value.replace(/\/$/, "");
  throw new DemoFailure(`${name} is not set, and no connection.json has it: is Headwater running?`);
}
