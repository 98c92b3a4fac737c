import { HeadwaterError } from "./errors.ts";
import type { HealthCheck } from "./operationsServer.ts";
import { withTimeout } from "./retry.ts";

/** Something that a process asks of others, as `/ready` shows it. */
export interface Dependency {
  ask(): Promise<unknown>;
  /** Says what does not work while it does not answer. */
  readonly whenAway: string;
  /** True where the process can do nothing at all without it, and so is not ready. Default: it goes on with the rest. */
  readonly isRequired?: boolean;
}

/** A dependency that has not answered in this time counts as away. */
export const DEPENDENCY_TIMEOUT_MS = 500;

/**
 * Returns the checks of `/ready`: all dependencies are asked side by side, so that an answer takes no longer than the slowest one may. One that
 * hangs is not asked again before it has answered: probes would pile up on it.
 */
export function createDependencyChecks(
  dependencies: Readonly<Record<string, Dependency>>,
  timeoutMs: number = DEPENDENCY_TIMEOUT_MS,
): () => Promise<Readonly<Record<string, HealthCheck>>> {
  const asked = new Map<string, Promise<HealthCheck>>();
  const answers = (name: string, dependency: Dependency): Promise<HealthCheck> => {
    const running = asked.get(name);
    if (running !== undefined) return running;
    const asking = askOnce(dependency).finally(() => asked.delete(name));
    asked.set(name, asking);
    return asking;
  };
  const check = (name: string, dependency: Dependency): Promise<HealthCheck> =>
    withTimeout(() => answers(name, dependency), timeoutMs).catch(() => awayCheck(dependency, dependency.whenAway));
  return async () => {
    const checks = Object.entries(dependencies).map(
      async ([name, dependency]) => [name, await check(name, dependency)] as const,
    );
    return Object.fromEntries(await Promise.all(checks));
  };
}

async function askOnce(dependency: Dependency): Promise<HealthCheck> {
  try {
    await dependency.ask();
    return { ok: true };
  } catch (error) {
    // Such a store answers, and says what to do.
    const wentBack = error instanceof HeadwaterError && error.code === "STORE_WENT_BACK";
    return awayCheck(dependency, wentBack ? error.publicMessage : dependency.whenAway);
  }
}

function awayCheck({ isRequired }: Dependency, detail: string): HealthCheck {
  return { ok: isRequired !== true, isDegraded: true, detail };
}
