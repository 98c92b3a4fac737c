import { describe, expect, it } from "vitest";
import { readExpiry } from "./handler.ts";

const NOW_MS = Date.parse("2026-01-31T12:00:00Z");

describe("the end of a key", () => {
  it("is an instant, or a day's midnight in the account's zone, or none", () => {
    expect(readExpiry(undefined, "UTC", NOW_MS)).toBeUndefined();
    expect(readExpiry("2026-02-01T00:00:00+01:00", "UTC", NOW_MS)?.toISOString()).toBe("2026-01-31T23:00:00.000Z");
    expect(readExpiry("2026-02-01", "Europe/Berlin", NOW_MS)?.toISOString()).toBe("2026-01-31T23:00:00.000Z");
  });

  it.each([
    ["tomorrow", "bad_value"],
    ["2026-01-31T12:00:00Z", "out_of_range"],
  ])("%s is refused", (text, code) => {
    const read = () => readExpiry(text, "UTC", NOW_MS);
    expect(read).toThrow(expect.objectContaining({ details: [expect.objectContaining({ path: "/expiresAt", code })] }));
  });
});
