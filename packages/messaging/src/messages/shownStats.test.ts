import { expect, test } from "vitest";
import { readPageStats } from "./shownStats.ts";

const asked = {
  ids: ["m1"],
  account: { number: 1, settings: {} },
  view: "child",
  signal: new AbortController().signal,
};

/** Ports whose ClickHouse cannot be reached. */
function away() {
  const error = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  return { freshness: () => Promise.reject(error), clickHouse: { query: () => Promise.reject(error) } };
}
const read = (fields: string | undefined) => readPageStats({ ...asked, fields } as never, away() as never);

test("a page of messages leaves stats out while ClickHouse is away, unless they are asked for", async () => {
  expect(await read(undefined)).toBeUndefined();
  expect(await read("id,name")).toBeUndefined();
  await expect(read("id,stats")).rejects.toThrow("ECONNREFUSED");
});
