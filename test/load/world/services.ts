import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newApiKey } from "@headwater/kernel";
import { useServices } from "@headwater/testing";
import { Guard, type ServiceAddresses } from "../../../infra/src/index.ts";
import { type Checkout, thisCheckout } from "../against/checkout.ts";
import type { Scale } from "./options.ts";

/** Set-up that all paths of one run share. */
export interface Bench {
  readonly services: ServiceAddresses;
  /** Logs, profiles and the secret of receipts; gone at the end, unless profiles were asked for. */
  readonly folder: string;
  readonly secretFile: string;
  readonly guard: Guard;
  /** Length of one measured stretch. */
  readonly seconds: number;
  /** Number of turns that ours and its limits take. */
  readonly rounds: number;
  /** Seconds that code runs before it is measured. */
  readonly warmSeconds: number;
  readonly isProfiling: boolean;
  readonly scale: Scale;
  /** Events a second of `visible` and `memory`; half of what the machine can do when left out. */
  readonly rate: number | undefined;
  /** The tree whose processes are measured. */
  readonly checkout: Checkout;
  /** False where only processes of ours are measured. */
  readonly withLimits: boolean;
  say(line: string): void;
}

export interface BenchOptions {
  readonly seconds: number;
  readonly rounds: number;
  readonly warmSeconds: number;
  readonly isProfiling: boolean;
  readonly scale: Scale;
  readonly rate: number | undefined;
}

/** Opens the run on the services that the environment names. */
export async function openBench(options: BenchOptions): Promise<Bench & { close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "headwater-bench-"));
  const secretFile = join(folder, "secret");
  await writeFile(secretFile, newApiKey(), { mode: 0o600 });
  const guard = new Guard();
  return {
    ...options,
    checkout: thisCheckout,
    withLimits: true,
    services: useServices(),
    folder,
    secretFile,
    guard,
    say: (line) => void process.stderr.write(`bench: ${line}\n`),
    async close() {
      guard.close();
      // A process that failed may still write its log.
      if (!options.isProfiling) await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}
