import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OWNERS_FILE } from "../closedHome.ts";

export interface DemoAccount {
  readonly accountId: string;
  /** Null when the account was made elsewhere: only a hash of its key is stored. */
  readonly apiKey: string | null;
}

/**
 * The demo account from the answer of `accounts create --if-missing --json`. Its key is shown only when it is made, so it is kept
 * under the home's secrets and found there at the next start.
 */
export async function rememberDemoAccount(home: string, answer: string): Promise<DemoAccount> {
  const file = join(home, "secrets", "demo-account.json");
  const answered = parseAccount(answer.trimEnd().split("\n").at(-1) ?? "");
  if (answered.apiKey !== null) {
    await writeFile(file, `${JSON.stringify(answered)}\n`, { mode: OWNERS_FILE });
    return answered;
  }
  const kept = existsSync(file) ? parseAccount(await readFile(file, "utf8")) : answered;
  return kept.accountId === answered.accountId ? kept : answered;
}

function parseAccount(text: string): DemoAccount {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || !("accountId" in value) || typeof value.accountId !== "string") {
    throw new Error(`an account has an accountId: ${text}`);
  }
  return {
    accountId: value.accountId,
    apiKey: "apiKey" in value && typeof value.apiKey === "string" ? value.apiKey : null,
  };
}
