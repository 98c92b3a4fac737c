import { expect, test } from "vitest";
import { parseStartOptions } from "./options.ts";

test("npm start takes its flags", () => {
  expect(parseStartOptions([])).toMatchObject({ isDetached: false, isEmpty: false, isReset: false, isSure: false });
  const all = parseStartOptions(["--detach", "--empty", "--reset", "--yes"]);
  expect(all).toMatchObject({ isDetached: true, isEmpty: true, isReset: true, isSure: true });
});

test("the mail server goes with the demo, and without it only when asked for", () => {
  const hasMail = (...args: string[]) => parseStartOptions(args).hasMail;
  expect([hasMail(), hasMail("--empty"), hasMail("--empty", "--mail")]).toEqual([true, false, true]);
});

test("a flag that is not known ends with one sentence that names those that are", () => {
  expect(() => parseStartOptions(["--detatch"])).toThrow(
    /'--detatch'.* Known are --detach, --empty, --mail, --reset and --yes\.$/,
  );
});
