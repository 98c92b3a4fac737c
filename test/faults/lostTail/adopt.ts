import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { addressEnvironment, scriptOf } from "../../../infra/src/index.ts";
import type { Ground } from "../harness/services.ts";

const run = promisify(execFile);

/** The operator's command, as it is typed. */
export async function headwater(ground: Ground, ...args: readonly string[]) {
  const env = { ...process.env, ...addressEnvironment(ground.services) };
  return run(process.execPath, [scriptOf("cli"), ...args], { env });
}

export interface Previewed {
  readonly rows: readonly { readonly what: string; readonly records?: number; readonly partition: number }[];
  readonly digest: string;
}

export async function preview(ground: Ground, topic: string): Promise<Previewed> {
  const { stdout, stderr } = await headwater(ground, "topics", "adopt", topic, "--dry-run", "--json");
  const digest = /digest (\w+)/.exec(stderr)?.[1] ?? "";
  return { rows: JSON.parse(stdout), digest };
}
