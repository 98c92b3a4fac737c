import type { Apps } from "../../harness/apps.ts";
import { addAccount, type Ground } from "../../harness/services.ts";
import { type Caller, startCaller } from "../caller.ts";
import type { HonestPagesOptions, HonestPagesResult } from "./honestPageCalls.ts";

const SCOPES = ["intake", "read", "write", "admin"];

export interface HonestPagesPorts {
  readonly ground: Ground;
  readonly apps: Apps;
}

/** Saves templates and reads pages of contacts at `/v2`, one call after another, until it is ended. */
export async function startHonestPages({ ground, apps }: HonestPagesPorts): Promise<Caller<HonestPagesResult>> {
  const { apiKey } = await addAccount(ground.postgres, "honest-pages", SCOPES);
  const options: HonestPagesOptions = { apiKey, port: apps.servicePort };
  return startCaller(new URL("./honestPageCalls.ts", import.meta.url), options);
}
