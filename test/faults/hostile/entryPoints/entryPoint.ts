import type fc from "fast-check";
import { z } from "zod";
import type { Apps } from "../../harness/apps.ts";
import type { Random } from "../../harness/random.ts";
import type { Ground } from "../../harness/services.ts";
import type { HostileServer } from "./hostileServer.ts";

/** A way in, with inputs at and past its bounds. Resolves to the status of the answer; 0 without one. */
export interface EntryPoint {
  readonly name: string;
  attack(text: string): Promise<number>;
  readonly texts: fc.Arbitrary<string>;
  /** Number of inputs that reached what they attack, where an answer of ours does not show it. */
  reached?(): number;
  end?(): Promise<void>;
}

export interface EntryPointPorts {
  readonly apps: Apps;
  readonly ground: Pick<Ground, "postgres">;
  readonly account: { readonly id: string; readonly number: number };
  readonly apiKey: string;
  readonly random: Random;
  /** Mailbox that the tracker polls. */
  readonly mailbox: HostileServer;
  /** Key that tokens are sealed under. */
  readonly settingsKey: Buffer;
}

/** Time in which every input is answered. */
export const ANSWER_MS = 60_000;

/** Makes a call. @returns its status; 0 without an answer. */
export async function statusOf(url: string, init: RequestInit): Promise<number> {
  try {
    const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_MS) });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}

/** Header `Authorization` of the hostile account. */
export function authorizationOf({ apiKey }: Pick<EntryPointPorts, "apiKey">): string {
  return `Basic ${Buffer.from(`${apiKey}:`).toString("base64")}`;
}

const uploaded = z.object({ url: z.string() });

/** Uploads a file of the hostile account. @returns its path, or the status of the answer; 0 without one, which a connection that is closed early has. */
export async function uploadOf(
  { apps, apiKey }: Pick<EntryPointPorts, "apps" | "apiKey">,
  name: string,
  body: Buffer,
): Promise<string | number> {
  const headers = { authorization: authorizationOf({ apiKey }), "content-type": "application/octet-stream" };
  try {
    const answer = await fetch(`http://127.0.0.1:${apps.servicePort}/v2/uploads?name=${name}`, {
      ...{ method: "POST", headers, body },
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const { success, data } = uploaded.safeParse(await answer.json());
    return success ? data.url : answer.status;
  } catch {
    return 0;
  }
}
