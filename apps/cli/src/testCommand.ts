import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryTerminal, type MemoryTerminalOptions } from "./memoryTerminal.ts";
import { runCommand } from "./runCommand.ts";

export const API_KEY = "hw_a_secret_of_the_tests";

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly said: string;
}

interface TestApi<Came> extends AsyncDisposable {
  readonly url: string;
  readonly came: readonly Came[];
}

/** Commands of a test before an API that answers as the test says; a person's home is a folder of its own. */
export function createTestCommand<Came>(api: TestApi<Came>) {
  const home = mkdtempSync(join(tmpdir(), "headwater-home-"));
  const fallback: Record<string, string> = { HEADWATER_BASE_URL: api.url, HEADWATER_API_KEY: API_KEY };
  return {
    api,
    home,
    /** Runs a command with the API's address and key in the environment, or with the variables that are given. */
    async run(args: readonly string[], options: MemoryTerminalOptions = {}, env = fallback): Promise<Ran> {
      const { terminal, out, said } = createMemoryTerminal(options);
      const refuse = () => Promise.reject(new Error("no store is to be reached"));
      const connect = () => ({
        withPostgres: refuse,
        withTopics: refuse,
        withLog: refuse,
        withClickHouse: refuse,
        pingClickHouse: refuse,
      });
      const all = { HOME: home, HEADWATER_HOME: "/nowhere", ...env };
      const code = await runCommand({ args, env: all, terminal, connect });
      return { code, out: out(), said: said() };
    },
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      rmSync(home, { recursive: true });
    },
  };
}

/** A page of a list. */
export function page(data: readonly object[], cursor: string | null = null) {
  return { status: 200, body: { data, pagination: { per_page: 25, next_cursor: cursor } } };
}
