import { expect, test } from "vitest";
import { metadataOf, noteOf } from "./commitMetadata.ts";

test.each([
  [{ generation: 3, store: "7123456789012345678" }, "generation=3;store=7123456789012345678"],
  [{ generation: 3, store: "7123456789012345678/16384" }, "generation=3;store=7123456789012345678/16384"],
  [{ generation: 3, store: undefined }, "generation=3"],
  [{ generation: undefined, store: "7" }, "store=7"],
  [{ generation: undefined, store: undefined }, null],
])("what is noted beside a commit is read again: %j", (note, metadata) => {
  expect(metadataOf(note)).toBe(metadata);
  expect(noteOf(metadata)).toEqual(note);
});

test("notes of other programs say nothing", () => {
  expect(noteOf("generation=x;store=7")).toEqual({ generation: undefined, store: undefined });
});
