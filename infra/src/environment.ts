import { existsSync } from "node:fs";
import { join } from "node:path";

/** The `java` program: the one of JAVA_HOME, else the one on PATH. */
export function javaCommand(env: NodeJS.ProcessEnv = process.env): string {
  const ofHome = env.JAVA_HOME === undefined ? undefined : join(env.JAVA_HOME, "bin", "java");
  return ofHome !== undefined && existsSync(ofHome) ? ofHome : "java";
}

/**
 * Leaves Java's second compiler out. A server that lives for minutes or does little starts with half the processor time; one that is busy for
 * long would be slower.
 */
export const QUICK_START = "-XX:TieredStopAtLevel=1";

/** The few variables of ours that a service may see; none of its own settings leaks in from the shell. */
export function bareEnvironment(env: NodeJS.ProcessEnv = process.env): Record<string, string | undefined> {
  return {
    PATH: env.PATH,
    HOME: env.HOME,
    TMPDIR: env.TMPDIR,
    TZ: env.TZ,
    LANG: "C.UTF-8",
    LC_ALL: "C.UTF-8",
  };
}
