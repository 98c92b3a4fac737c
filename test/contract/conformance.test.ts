import { rmSync } from "node:fs";
import { seedFrom } from "@headwater/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Operation, readDocument, type Schema } from "./conformance/description.ts";
import { type Trial, trialsOf } from "./conformance/requests.ts";
import { type Proofs, send } from "./conformance/send.ts";
import { createJudge, type Judge } from "./conformance/verdict.ts";
import { makeFile, makeWorld, type World } from "./conformance/world.ts";
import { freshFolder } from "./jobs/workOff.ts";
import { type Running, startService } from "./service/running.ts";

/** Generated and changed bodies of each operation; the same seed sends the same requests. */
const RUNS = Number(process.env.CONFORMANCE_RUNS || 4);
const SEED = seedFrom(process.env.CONFORMANCE_SEED);
const TIMEOUT_MS = 120_000 + RUNS * 20_000;
const OPERATIONS_MIN = 70;
/** Told of one operation: one mistake is found by many requests. */
const FOUND_MAX = 10;

const folder = freshFolder();
let service: Running;
let url: string;
let whole: Schema;
let operations: readonly Operation[];
let other: string;
let file: World["plan"];
beforeAll(async () => {
  service = await startService({ filesFolder: folder });
  url = await service.listen();
  ({ whole, operations } = readDocument(await (await fetch(`${url}/docs/json`)).text()));
  file = await makeFile(folder, { service, operations });
  other = await service.key((await service.account()).account, { scopes: ["read", "write", "intake"] });
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

describe("the service of v2", () => {
  test("shows examples that its own schemas take", () => {
    expect(operations.length).toBeGreaterThanOrEqual(OPERATIONS_MIN);
    expect(createJudge(whole).wrongExamples(operations)).toEqual([]);
  });

  test(`answers every request as its document says (CONFORMANCE_SEED=${SEED})`, { timeout: TIMEOUT_MS }, async () => {
    const judge = createJudge(whole);
    const found: string[] = [];
    for (const [number, operation] of operations.entries()) {
      found.push(...(await drive(operation, judge, { number, runs: RUNS })).slice(0, FOUND_MAX));
    }
    expect(found).toEqual([]);
  });

  test("is caught when it gives a status or a body that is not documented", async () => {
    const planted = structuredClone(whole);
    const { getOrder, listOrders } = Object.fromEntries(operations.map((one) => [one.operationId, one]));
    if (getOrder === undefined || listOrders === undefined) throw new Error("the operations have other names");
    expect(planted).toHaveProperty(["paths", listOrders.path, "get", "responses", "200"]);
    const media = { "application/json": { schema: { type: "object", required: ["planted"] } } };
    Object.assign(Object(planted.paths)[listOrders.path].get.responses["200"], { content: media });
    delete Object(planted.paths)[getOrder.path].get.responses["404"];
    const lying = readDocument(JSON.stringify(planted));
    const judge = createJudge(lying.whole);
    const found = [];
    for (const [at, one] of lying.operations.entries()) {
      if (one.path !== getOrder.path && one.path !== listOrders.path) continue;
      if (one.method === "GET") found.push(...(await drive(one, judge, { number: operations.length + at, runs: 0 })));
    }
    expect(found).toContainEqual(expect.stringMatching(/^getOrder, id unknown-zz: 404 is not documented/));
    expect(found).toContainEqual(expect.stringMatching(/^listOrders, the example: 200 has another body.*planted/));
  });
});

/** Sends one operation all its requests, in an account of its own. @returns what was wrong with the answers. */
async function drive(
  operation: Operation,
  judge: Judge,
  { number, runs }: { readonly number: number; readonly runs: number },
): Promise<string[]> {
  const { plan, proofs } = await makeWorld(operation, { service, operations, other, number, file });
  const found: string[] = [];
  for (const trial of trialsOf(operation, { ...plan, seed: SEED + number, runs })) {
    const wrong = await tryOne(operation, trial, { judge, proofs });
    found.push(...wrong.map((what) => `${operation.operationId}, ${trial.what}: ${what}`));
  }
  return found;
}

async function tryOne(
  operation: Operation,
  trial: Trial,
  { judge, proofs }: { readonly judge: Judge; readonly proofs: Proofs },
): Promise<string[]> {
  const answer = await send({ url, method: operation.method, proofs }, trial);
  const wrong = judge.wrongWith(operation, answer);
  const { expected, value } = trial;
  if (expected !== undefined && !expected.includes(answer.status)) {
    wrong.push(`${answer.status} in place of ${expected.join(" or ")}: ${answer.text.slice(0, 300)}`);
  }
  if (value !== undefined && answer.status < 300 && !judge.takes(operation, value)) {
    wrong.push(`${answer.status} for a body that the document refuses: ${JSON.stringify(value).slice(0, 300)}`);
  }
  return wrong;
}
