import { expect, test } from "vitest";
import { createDependencyChecks } from "./dependencies.ts";

const there = { ask: async () => undefined, whenAway: "nothing works" };
const away = { ask: () => Promise.reject(new Error("no answer")), whenAway: "exports wait" };
const hanging = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let asked = 0;
  const ask = () => {
    asked += 1;
    return promise;
  };
  return { ask, whenAway: "hangs", resolve, asked: () => asked };
};

test("a dependency that is away is named with what does not work, and only a required one fails its check", async () => {
  const checks = createDependencyChecks({ there, away, required: { ...away, isRequired: true } });
  expect(await checks()).toEqual({
    there: { ok: true },
    away: { ok: true, isDegraded: true, detail: "exports wait" },
    required: { ok: false, isDegraded: true, detail: "exports wait" },
  });
});

test("dependencies that hang are asked side by side, up to the bound, and not again before they answer", async () => {
  const all = [hanging(), hanging(), hanging()];
  const [first, second, third] = all;
  if (first === undefined || second === undefined || third === undefined) throw new Error("there are three");
  const checks = createDependencyChecks({ first, second, third, there }, 20);
  for (let probe = 0; probe < 3; probe++) {
    expect(await checks()).toMatchObject({
      first: { detail: "hangs" },
      third: { detail: "hangs" },
      there: { ok: true },
    });
  }
  expect(all.map(({ asked }) => asked())).toEqual([1, 1, 1]);
  second.resolve();
  expect(await checks()).toMatchObject({ first: { detail: "hangs" }, second: { ok: true } });
});
