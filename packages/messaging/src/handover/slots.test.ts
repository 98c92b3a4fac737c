import { describe, expect, test } from "vitest";
import { Slots } from "./slots.ts";

/** Work that goes on until it is told to end. @returns what began, in order, and what ends the oldest. */
function held(slots: Slots) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const run = (name: string, isUrgent: boolean) => {
    const work = () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    };
    void slots.run(work, { isUrgent });
  };
  const endOne = async () => {
    ends.shift()?.();
    await new Promise(setImmediate);
  };
  return { begun, run, endOne };
}

describe("slots", () => {
  test("are given to as many as there are, and then in turn, urgent work first", async () => {
    const { begun, run, endOne } = held(new Slots(2));
    for (const name of ["a", "b", "c", "d"]) run(name, false);
    run("urgent 1", true);
    run("urgent 2", true);
    expect(begun).toEqual(["a", "b"]);
    for (let ended = 0; ended < 4; ended += 1) await endOne();
    expect(begun).toEqual(["a", "b", "urgent 1", "urgent 2", "c", "d"]);
  });

  test("are given to other work now and then, whatever urgent work comes", async () => {
    const { begun, run, endOne } = held(new Slots(1));
    for (const name of ["running", "first", "second"]) run(name, false);
    for (let ended = 0; ended < 60; ended += 1) {
      run("urgent", true);
      await endOne();
    }
    expect(begun.flatMap((name, index) => (name === "urgent" ? [] : [[name, index]]))).toEqual([
      ["running", 0],
      ["first", 21],
      ["second", 42],
    ]);
  });

  test("are free again behind work that fails", async () => {
    const slots = new Slots(1);
    const failing = slots.run(() => Promise.reject(new Error("no")));
    const next = slots.run(async () => "done");
    await expect(failing).rejects.toThrow("no");
    expect(await next).toBe("done");
    await slots.empty();
  });
});
