import { join } from "node:path";
import { testHomeFolder } from "../../bootstrap/places.mjs";
import { say } from "../../bootstrap/say.mjs";
import { bundlePrograms } from "../bundle.ts";
import { BUNDLES } from "../programs.ts";
import { addressEnvironment, startTestServices, type TestServicesOptions } from "../testServices.ts";

/**
 * Runs `work` with the addresses of empty services in its environment, and stops them afterwards. A signal, or the end of the
 * process that started us, ends us at once: the services die with us.
 */
export async function withServices<Result>(
  options: Pick<TestServicesOptions, "name" | "portsAbove" | "isShortLived">,
  work: (env: NodeJS.ProcessEnv) => Promise<Result>,
): Promise<Result> {
  const running = await startTestServices({ ...options, onProgress: say });
  try {
    return await work({ ...process.env, ...addressEnvironment(running) });
  } finally {
    await running.stop();
  }
}

/** Bundles our programs for what runs from this process on. @param name those of others at the same time have another one. */
export async function bundleForTests(name: string): Promise<void> {
  const folder = join(testHomeFolder, "bundles", name);
  say("bundling the programs");
  await bundlePrograms(folder);
  process.env[BUNDLES] = folder;
}

/** Ends this process on a signal, or when the one that started it is gone. */
export function endWithParent(): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(130));
  process.once("disconnect", () => process.exit(1));
  process.channel?.unref();
}
