import { versionOf } from "@headwater/contracts";
import { expect, test } from "vitest";
import { toEntries } from "./listContacthistory.ts";

const at = (ms: number) => versionOf(ms, { lane: 1, partition: 3, offset: ms, place: 0 });
const wrote = (ms: number, path: string, from: string | null, to: string | null) => ({
  version: at(ms),
  path,
  from,
  to,
});

test("changes of one version are one entry, the newest entry is first, and what changed nothing is none", () => {
  const writes = [wrote(1, "b", null, "x"), wrote(1, "a", null, "y"), wrote(2, "a", "y", "z"), wrote(3, "a", "z", "z")];
  expect(toEntries(writes, [])).toEqual([
    { version: at(2), changes: [{ path: "a", from: "y", to: "z" }] },
    {
      version: at(1),
      changes: [
        { path: "a", from: null, to: "y" },
        { path: "b", from: null, to: "x" },
      ],
    },
  ]);
});

test("what a merge brought stands in its entry alone, and what its record wrote besides is one change with it", () => {
  const brought = [wrote(2, "plan", "gold", "free")];
  const merge = {
    version: at(5),
    kind: "merge",
    id: "r",
    changes: [wrote(5, "plan", "gold", "free")],
    carried: brought,
  } as const;
  const writes = [
    wrote(1, "plan", null, "gold"),
    ...brought,
    wrote(5, "plan", "free", "silver"),
    wrote(5, "seen", null, "yes"),
  ];
  expect(toEntries(writes, [merge])).toEqual([
    {
      version: at(5),
      by: { kind: "merge", id: "r" },
      changes: [
        { path: "plan", from: "gold", to: "silver" },
        { path: "seen", from: null, to: "yes" },
      ],
    },
    { version: at(1), changes: [{ path: "plan", from: null, to: "gold" }] },
  ]);
});
