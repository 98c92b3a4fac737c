import { expect, test } from "vitest";
import { parseStartOptions } from "./options.ts";

test("npm start takes its four flags", () => {
  expect(parseStartOptions([])).toMatchObject({ isDetached: false, isEmpty: false, isReset: false, isSure: false });
  const all = parseStartOptions(["--detach", "--empty", "--reset", "--yes"]);
  expect(all).toMatchObject({ isDetached: true, isEmpty: true, isReset: true, isSure: true });
});

test("a flag that is not known ends with one sentence that names those that are", () => {
  expect(() => parseStartOptions(["--detatch"])).toThrow(
    /'--detatch'.* Known are --detach, --empty, --reset and --yes\.$/,
  );
});
