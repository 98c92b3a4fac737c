import type { Block } from "@headwater/stores/clickhouse";
import { expect, test } from "vitest";
import { gatherInserts } from "./gatherInserts.ts";

const MIB = 1024 * 1024;

/** An inserter that answers when it is told to. */
function slowInserter() {
  const under: { readonly block: Block; readonly answer: PromiseWithResolvers<void> }[] = [];
  return {
    under,
    insertBlock(block: Block) {
      const answer = Promise.withResolvers<void>();
      under.push({ block, answer });
      return answer.promise;
    },
  };
}

function gathering() {
  const inserter = slowInserter();
  let tokens = 0;
  const gathered = gatherInserts(inserter, () => `token ${++tokens}`);
  const insert = (table: string, body: Buffer | string) =>
    gathered.insertBlock({ table, columns: ["a"], body: Buffer.from(body), token: "own" });
  const bodies = () => inserter.under.map(({ block }) => `${block.table}:${block.body}`);
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { ...inserter, insert, bodies, turn };
}

test("what is handed over together is one insert a table, in order and under a token of its own", async () => {
  const { insert, bodies, under, turn } = gathering();
  const all = [insert("x", "1"), insert("y", "2"), insert("x", "3")];
  await turn();
  expect(bodies()).toEqual(["x:13", "y:2"]);
  expect(under.map(({ block }) => block.token)).toEqual(["token 1", "token 2"]);
  for (const { answer } of under) answer.resolve();
  await Promise.all(all);
});

test("what comes while an insert is under way is the next one, also after a pause", async () => {
  const { insert, bodies, under, turn } = gathering();
  const first = insert("x", "1");
  await turn();
  const later = [insert("x", "2"), insert("x", "3")];
  await turn();
  expect(bodies()).toEqual(["x:1"]);
  under[0]?.answer.resolve();
  await first;
  await expect.poll(bodies).toEqual(["x:1", "x:23"]);
  under[1]?.answer.resolve();
  await Promise.all(later);
  await turn();
  const again = insert("x", "4");
  await expect.poll(bodies).toEqual(["x:1", "x:23", "x:4"]);
  under[2]?.answer.resolve();
  await again;
});

test("a failure is told to all that were in the insert, and to nobody else", async () => {
  const { insert, under, turn } = gathering();
  const both = Promise.allSettled([insert("x", "1"), insert("x", "2")]);
  await turn();
  const next = insert("x", "3");
  under[0]?.answer.reject(Object.assign(new Error("away"), { code: "ECONNREFUSED" }));
  expect((await both).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await expect.poll(() => under.length).toBe(2);
  under[1]?.answer.resolve();
  await next;
});

test("an insert has a bound, and a block above it goes alone", async () => {
  const { insert, under, turn } = gathering();
  const all = [9, 9, 20, 1].map((mib) => insert("x", Buffer.alloc(mib * MIB)));
  await turn();
  for (let index = 0; index < 4; index++) {
    await expect.poll(() => under.length).toBe(index + 1);
    under[index]?.answer.resolve();
  }
  await Promise.all(all);
  expect(under.map(({ block }) => block.body.length / MIB)).toEqual([9, 9, 20, 1]);
});

test("a block that is refused for what it holds fails alone, and those that shared its insert are inserted", async () => {
  const { insert, under, bodies, turn } = gathering();
  const all = Promise.allSettled([insert("x", "1"), insert("x", "poison"), insert("x", "3")]);
  await turn();
  under[0]?.answer.reject(new Error("cannot parse"));
  for (const [index, body] of ["x:1", "x:poison", "x:3"].entries()) {
    await expect.poll(() => bodies()[index + 1]).toBe(body);
    if (body === "x:poison") under[index + 1]?.answer.reject(new Error("cannot parse"));
    else under[index + 1]?.answer.resolve();
  }
  expect((await all).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});
