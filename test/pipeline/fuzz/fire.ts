import { setTimeout } from "node:timers/promises";
import type { Caller } from "../stack.ts";
import type { Plan, Shot } from "./shots.ts";

/** Answer to one request. */
export interface Hit {
  readonly status: number;
  readonly receipt: string | undefined;
  /** Reason why the answer breaks the rules. */
  readonly wrong: string | undefined;
}

const STATUSES: ReadonlySet<number> = new Set([200, 202, 400, 401, 403, 404, 405, 406, 409, 411, 413, 415, 422]);
const TIMEOUT_MS = 30_000;
/** A store may be late on a busy machine, and says so by a 503 for a later try; a request that causes one causes the next one, too. */
const TRIES_MAX = 5;

interface Fired {
  readonly caller: Caller;
  readonly origin: string;
}

/** Sends a request, again while it gets a 503 that asks for that. */
export async function fire(plan: Plan, shot: Shot, fired: Fired): Promise<Hit> {
  for (let tries = 1; ; tries += 1) {
    const { retryAfterMs, ...hit } = await fireOnce(plan, shot, fired);
    if (retryAfterMs === undefined || tries === TRIES_MAX) return hit;
    process.stderr.write(`fuzz, ${plan.target.name}: ${hit.wrong}; trying again\n`);
    await setTimeout(retryAfterMs);
  }
}

async function fireOnce(
  plan: Plan,
  shot: Shot,
  { caller, origin }: Fired,
): Promise<Hit & { readonly retryAfterMs?: number }> {
  const { target } = plan;
  const headers = { ...target.headersOf(shot.bytes, caller), ...shot.headers };
  try {
    const answer = await fetch(`${origin}${target.pathOf(caller)}${shot.query}`, {
      method: "POST",
      headers,
      body: new Uint8Array(shot.bytes),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body = read(await answer.text());
    const receipt = body?.receipt ?? answer.headers.get("headwater-receipt") ?? undefined;
    const { status } = answer;
    const retryAfter = answer.headers.get("retry-after");
    return {
      status,
      receipt,
      wrong: validate({ plan, shot, status, body }),
      ...(status === 503 && retryAfter !== null && { retryAfterMs: Number(retryAfter) * 1_000 }),
    };
  } catch (error) {
    return { status: 0, receipt: undefined, wrong: `no answer: ${withCause(error)}` };
  }
}

function withCause(error: unknown): string {
  return error instanceof Error && error.cause !== undefined ? `${error}, ${error.cause}` : `${error}`;
}

/** Tests look into answers of many shapes. */
type Body = ReturnType<typeof JSON.parse>;

function read(text: string): Body {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Validated {
  readonly plan: Plan;
  readonly shot: Shot;
  readonly status: number;
  readonly body: Body;
}

function validate({ plan, shot, status, body }: Validated): string | undefined {
  if (!STATUSES.has(status)) return `status ${status}: ${JSON.stringify(body)}`;
  if (body === undefined) return `status ${status} without JSON`;
  if (status >= 400 && typeof body.code !== "string") return `status ${status} without a code: ${JSON.stringify(body)}`;
  return shot.neighbourAt === undefined ? undefined : validateNeighbour({ plan, shot, status, body }, shot.neighbourAt);
}

/** A batch whose bytes arrive as they were meant is validated item by item, and the good one among them is taken. */
function validateNeighbour({ plan, shot, status, body }: Validated, at: number): string | undefined {
  if (!shot.isWhole) return;
  const isRefusedWhole = status === 422 && plan.flags.includes("strict") && body.rejected > 0;
  if (!isRefusedWhole && status !== 202 && status !== 200)
    return `a batch with a right item: ${status} ${JSON.stringify(body)}`;
  const result = body.items?.find(({ index }: { index: number }) => index === at);
  if (result?.status === "rejected") return `the right item was refused: ${JSON.stringify(result)}`;
  return;
}
