import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { z } from "zod";
import { addressEnvironment, rootFolder, type ServiceAddresses, scriptOf } from "../../../infra/src/index.ts";
import type { Apps } from "../harness/apps.ts";

const failureShape = z.object({ code: z.number(), stdout: z.string(), stderr: z.string() });
const statusShape = z.array(z.object({ part: z.string(), state: z.string(), detail: z.string() }));

export interface Previewed {
  readonly digest: string;
  readonly out: string;
}

/** Options that carry out a plan as it was shown. */
export const decided = (digest: string) => ["--yes", "--confirm", digest, "--reason", "a test"];

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly said: string;
}

/** The operator's command, as a process of its own. */
export async function headwater(addresses: ServiceAddresses, ...args: readonly string[]): Promise<Ran> {
  const env = { ...process.env, ...addressEnvironment(addresses) };
  try {
    const options = { env, cwd: rootFolder, maxBuffer: 16 * 1024 * 1024 };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [scriptOf("cli"), ...args], options);
    return { code: 0, out: stdout, said: stderr };
  } catch (error) {
    const { code, stdout, stderr } = failureShape.parse(error);
    return { code, out: stdout, said: stderr };
  }
}

/**
 * Starts a command and kills it as soon as it says something.
 * @returns false when it ended before.
 */
export async function killedAt(addresses: ServiceAddresses, at: RegExp, ...args: readonly string[]): Promise<boolean> {
  const env = { ...process.env, ...addressEnvironment(addresses) };
  const command = spawn(process.execPath, [scriptOf("cli"), ...args], {
    env,
    cwd: rootFolder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  let isKilled = false;
  command.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    if (at.test(said)) isKilled = command.kill("SIGKILL") || isKilled;
  });
  const [code] = await once(command, "exit");
  if (!isKilled && code !== 0) throw new Error(`${args.join(" ")}: ${said}`);
  return isKilled;
}

/** Shows a plan. @returns its digest, and its rows as JSON. */
export async function previewed(addresses: ServiceAddresses, ...args: readonly string[]): Promise<Previewed> {
  const preview = await headwater(addresses, ...args, ...(args[0] === "topics" ? ["--dry-run"] : []), "--json");
  const digest = /(?:--confirm|digest) (\w+)/.exec(preview.said)?.[1];
  if (preview.code !== 0 || digest === undefined) throw new Error(`${args.join(" ")}: ${preview.said}`);
  return { digest, out: preview.out };
}

/** Shows a plan, then carries it out as shown. @throws when either fails. */
export async function confirmed(addresses: ServiceAddresses, ...args: readonly string[]): Promise<string> {
  const { digest, out } = await previewed(addresses, ...args);
  const done = await headwater(addresses, ...args, ...decided(digest));
  if (done.code !== 0) throw new Error(`${args.join(" ")}: ${done.said}`);
  return out;
}

/** Returns the parts that are not well, by name, and the exit code. */
export async function status(addresses: ServiceAddresses): Promise<{ code: number; ill: ReadonlyMap<string, string> }> {
  const { code, out } = await headwater(addresses, "status", "--json");
  const ill = statusShape.parse(JSON.parse(out)).filter(({ state }) => state !== "ok");
  return { code, ill: new Map(ill.map(({ part, state, detail }) => [part, `${state}: ${detail}`])) };
}

/** Returns the value of a metric of a process, with its labels as they are written; undefined without one. */
export async function metric(apps: Apps, process: string, name: string): Promise<number | undefined> {
  const answer = await fetch(`http://127.0.0.1:${apps.operationsPort(process)}/metrics`);
  const line = (await answer.text()).split("\n").find((one) => one.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
}
