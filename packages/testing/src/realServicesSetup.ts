import { addressEnvironment, type ServiceAddresses, startTestServices } from "../../../infra/src/index.ts";
import { serviceSource } from "./realServices.ts";

/**
 * Vitest's global set-up of the suites on real services: starts what the environment does not name, for all projects of the
 * run, and passes it to the workers through the environment.
 */
export async function setup(): Promise<() => Promise<void>> {
  const running = await start((line) => process.stderr.write(`${line}\n`));
  Object.assign(process.env, addressEnvironment(running));
  return running.stop;
}

async function start(
  onProgress: (line: string) => void,
): Promise<ServiceAddresses & { readonly stop: () => Promise<void> }> {
  switch (serviceSource(process.env)) {
    case "processes":
      return startTestServices({ name: "suites", onProgress });
    case "containers": {
      // Loaded here alone: who has no Docker needs no client of it.
      const { startContainerServices } = await import("./containerServices.ts");
      return startContainerServices({ env: process.env, onProgress });
    }
  }
}
