import { expect, test } from "vitest";
import { createLogger } from "./logger.ts";

function capture(level: "info" | "debug" = "info") {
  const lines: string[] = [];
  const logger = createLogger({ name: "ingress", level, destination: { write: (line: string) => lines.push(line) } });
  return { logger, lines };
}

test("a line is JSON with name, level name and ISO time", () => {
  const { logger, lines } = capture();
  logger.warn({ partition: 3 }, "behind");
  const line: unknown = JSON.parse(lines.join(""));
  expect(line).toMatchObject({ name: "ingress", level: "warn", partition: 3, msg: "behind" });
  expect(line).toHaveProperty("time", expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/));
});

test("lines below the level are not written", () => {
  const { logger, lines } = capture("info");
  logger.debug("detail");
  expect(lines).toEqual([]);
});

test.each([
  ["a header", { authorization: "Basic c2VjcmV0" }],
  ["a header two levels down", { req: { headers: { authorization: "c2VjcmV0", "x-api-key": "c2VjcmV0" } } }],
  ["a password in an object", { postgres: { password: "c2VjcmV0" } }],
  ["an API key by name", { apiKey: "c2VjcmV0" }],
  ["a URL's credentials", { url: "postgres://app:c2VjcmV0@db:5432/x" }],
  ["a URL's credentials with an @ in them", { url: "https://app:c2VjcmV0@c2VjcmV0@db/x" }],
  ["a URL inside an error", { err: new Error("cannot reach postgres://app:c2VjcmV0@db/x") }],
  ["an API key inside a text", { note: `hw_${"c2VjcmV0".repeat(5)} refused` }],
])("%s is not written", (_what, object) => {
  const { logger, lines } = capture();
  logger.info(object, "with a secret");
  expect(lines.join("")).not.toContain("c2VjcmV0");
  expect(lines.join("")).toContain("[redacted]");
  expect(JSON.parse(lines.join(""))).toHaveProperty("msg", "with a secret");
});

test("an address without credentials stays as it is", () => {
  const { logger, lines } = capture();
  logger.info({ url: "http://127.0.0.1:8123/?q=a@b" }, "at");
  expect(lines.join("")).toContain("http://127.0.0.1:8123/?q=a@b");
});

test("an error of a lost connection is written with its cause and code, without the connection it carries", () => {
  const { logger, lines } = capture();
  const err = Object.assign(new Error("gone", { cause: new Error("reset") }), {
    code: "57P01",
    client: { user: "app" },
  });
  logger.warn({ err }, "lost");
  const line: unknown = JSON.parse(lines.join(""));
  expect(line).toMatchObject({ err: { type: "Error", message: "gone: reset", code: "57P01" }, msg: "lost" });
  expect(line).toHaveProperty("err.stack", expect.stringContaining("caused by: Error: reset"));
  expect(line).not.toHaveProperty("err.client");
});
