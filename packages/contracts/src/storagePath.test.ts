import { expect, test } from "vitest";
import { expandPath, fixedFolder, unknownPlaceholders } from "./storagePath.ts";

const facts = { jobId: "65f0c0ffee65f0c0ffee0001", name: "buyers", createdAt: Date.UTC(2026, 0, 9, 2, 59) };

test("a path takes the moment of the job in UTC, its id and its name", () => {
  expect(expandPath("lake/{yyyy}/{mm}/{dd}/{hh}/{name}-{jobId}", facts)).toBe(
    "lake/2026/01/09/02/buyers-65f0c0ffee65f0c0ffee0001",
  );
  expect(expandPath("plain", facts)).toBe("plain");
});

test("placeholders that there are not are named", () => {
  expect(unknownPlaceholders("{yyyy}/{month}/{}")).toEqual(["month", ""]);
  expect(unknownPlaceholders("{yyyy}/{name}")).toEqual([]);
});

test("the folders before the first placeholder are those that must be there", () => {
  expect(fixedFolder("/exports/daily/{yyyy}/x")).toBe("/exports/daily");
  expect(fixedFolder("/exports/day-{dd}")).toBe("/exports");
  expect(fixedFolder("/exports")).toBe("/exports");
  expect(fixedFolder("{yyyy}")).toBe("");
});
