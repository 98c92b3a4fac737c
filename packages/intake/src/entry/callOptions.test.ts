import { describe, expect, it } from "vitest";
import { readCallOptions } from "./callOptions.ts";

describe("what a caller asks for in the query", () => {
  it("is nothing by default, and a name alone means true", () => {
    expect(readCallOptions({}, true)).toEqual({ strict: false, verbose: false, validateOnly: false });
    expect(readCallOptions({ strict: "", verbose: "1", validateOnly: "true" }, true)).toEqual({
      strict: true,
      verbose: true,
      validateOnly: true,
    });
    expect(readCallOptions({ strict: "false", verbose: "0" }, true)).toMatchObject({ strict: false, verbose: false });
  });

  it.each([
    ["an unknown name", { verbos: "true" }, true, "/verbos"],
    ["no boolean", { strict: "yes" }, true, "/strict"],
    ["a name given twice", { strict: ["true", "false"] }, true, "/strict"],
    ["strict on a single call", { strict: "true" }, false, "/strict"],
  ])("is refused when it is %s", (_what, query, isBatch, path) => {
    expect(() => readCallOptions(query, isBatch)).toThrow(
      expect.objectContaining({ code: "BAD_REQUEST", details: [expect.objectContaining({ path })] }),
    );
  });
});
