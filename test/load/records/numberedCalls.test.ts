import { expect, test } from "vitest";
import { NUMBER_POSITION, numberedCalls } from "./numberedCalls.ts";

const get = { method: "GET", path: `/v2/contacts/ann.${NUMBER_POSITION}@example.com` } as const;

test("each call has its number in path and body, and the length that it says", () => {
  const post = {
    method: "POST",
    path: "/v2/contacts",
    body: `{"a":"${NUMBER_POSITION}","b":"C${NUMBER_POSITION}"}`,
  } as const;
  const requestAt = numberedCalls({ templates: [get, post], numbers: { from: 7, count: 1 } }, { "x-key": "k" });
  expect(requestAt(0).toString()).toMatch(/^GET \/v2\/contacts\/ann\.000000007@example\.com HTTP\/1\.1\r\n/);
  const [head = "", body = ""] = requestAt(1).toString().split("\r\n\r\n");
  expect(body).toBe('{"a":"000000007","b":"C000000007"}');
  expect(head).toContain(`Content-Length: ${body.length}\r\n`);
  expect(head).toContain("x-key: k");
});

test("every number of the range comes once before one comes again", () => {
  const count = 200_000;
  const requestAt = numberedCalls({ templates: [get], numbers: { from: 1, count } }, {});
  const numbers = Array.from({ length: count }, (_, index) =>
    Number(/ann\.(\d+)@/.exec(requestAt(index).toString())?.[1]),
  );
  expect(new Set(numbers).size).toBe(count);
  expect([Math.min(...numbers.slice(0, 1_000)) >= 1, numbers.every((one) => one <= count)]).toEqual([true, true]);
});
