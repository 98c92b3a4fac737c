import { expect, test } from "vitest";
import { idsByReference } from "./importLists.ts";

test.each([
  [
    [
      { id: 7, name: "VIP" },
      { id: 9, name: "7" },
    ],
  ],
  [
    [
      { id: 9, name: "7" },
      { id: 7, name: "VIP" },
    ],
  ],
])("a text is the list of that name, also where another list has it as its id", (found) => {
  expect(idsByReference(found, [7])).toEqual(
    new Map([
      ["7", 9],
      ["vip", 7],
    ]),
  );
});

test("a text that is no name is the list with that id", () => {
  expect(idsByReference([{ id: 7, name: "VIP" }], [7]).get("7")).toBe(7);
});
