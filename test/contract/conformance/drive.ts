import type { App, World } from "./app.ts";
import type { Operation } from "./description.ts";
import { type Trial, trialsOf } from "./requests.ts";
import { send } from "./send.ts";
import type { Answered, Judge } from "./verdict.ts";

export interface Run {
  /** The operation's position among the operations. */
  readonly number: number;
  readonly seed: number;
  readonly runs: number;
}

/** Sends one operation all its requests, in an account of its own. @returns what was wrong with the answers. */
export async function drive(operation: Operation, app: App, validate: Judge, run: Run): Promise<string[]> {
  const { number, seed, runs } = run;
  const world = await app.world(operation, number);
  const found: string[] = [];
  for (const trial of trialsOf(operation, { ...world.plan, seed: seed + number, runs })) {
    const wrong = await tryOne(operation, trial, { url: app.url, judge: validate, world });
    found.push(...wrong.map((what) => `${operation.operationId}, ${trial.what}: ${what}`));
  }
  return found;
}

interface Input {
  readonly url: string;
  readonly judge: Judge;
  readonly world: World;
}

async function tryOne(operation: Operation, trial: Trial, { url, judge: check, world }: Input): Promise<string[]> {
  const request = world.proofs[trial.as](trial);
  const answer = await send({ url, method: operation.method }, request);
  const wrong = check.wrongWith(operation, answer);
  const { expected, isJudged: isValidated } = trial;
  if (expected !== undefined && !expected.includes(answer.status)) {
    wrong.push(`${answer.status} in place of ${expected.join(" or ")}: ${answer.text.slice(0, 300)}`);
  }
  if (!isValidated || request.body === undefined || answer.status >= 300) return wrong;
  return [...wrong, ...wronglyTaken(operation, request.body, answer, { judge: check, world })];
}

function wronglyTaken(
  operation: Operation,
  body: string,
  { status, text }: Answered,
  { judge, world }: Pick<Input, "judge" | "world">,
): string[] {
  const taken = world.taken?.(body, text) ?? [JSON.parse(body)];
  return taken
    .filter((one) => !judge.takes(operation, one))
    .map((one) => `${status} for a body that the document refuses: ${JSON.stringify(one).slice(0, 300)}`);
}
