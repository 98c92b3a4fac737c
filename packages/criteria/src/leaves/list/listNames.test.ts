import { expect, test } from "vitest";
import { createListNames, listIdsByText } from "./listNames.ts";

test("a list is found by its name without case, by its id, and by a text that spells the id", () => {
  const names = createListNames([{ id: 7, name: "VIP" }]);
  for (const named of ["VIP", "vip", 7, "7"]) expect(names.find(named)?.id).toBe(7);
  for (const unknown of ["vips", 8, "8", "07", "7.0", "-7", ""]) expect(names.find(unknown)).toBeUndefined();
});

test("a text is the name of a list before it is an id, a number is an id alone", () => {
  const names = createListNames([
    { id: 7, name: "VIP" },
    { id: 9, name: "7" },
  ]);
  expect([names.find("7")?.id, names.find(7)?.id, names.find("9")?.id]).toEqual([9, 7, 9]);
});

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
  expect(listIdsByText(["7", "vip"], found)).toEqual(
    new Map([
      ["7", 9],
      ["vip", 7],
    ]),
  );
});

test("a text that is no name is the list with that id", () => {
  expect(listIdsByText(["7"], [{ id: 7, name: "VIP" }]).get("7")).toBe(7);
});
