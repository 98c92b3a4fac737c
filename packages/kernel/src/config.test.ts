import { expect, test } from "vitest";
import { z } from "zod";
import { loadConfig } from "./config.ts";
import { HeadwaterError } from "./errors.ts";

const schema = z.object({
  PORT: z.coerce.number().int().min(1).max(65_535).default(8420),
  LOG_LEVEL: z.enum(["debug", "info"]).default("info"),
  POSTGRES_URL: z.url(),
  API_SECRET: z.string().min(16),
});

function failureOf(env: Record<string, string>): HeadwaterError {
  try {
    loadConfig(schema, env);
  } catch (error) {
    if (error instanceof HeadwaterError) {
      return error;
    }
    throw error;
  }
  throw new Error("the configuration was accepted");
}

test("a good environment becomes typed values, with defaults for what is absent or empty", () => {
  const env = { POSTGRES_URL: "postgres://localhost/x", API_SECRET: "0123456789abcdef", PORT: "9000", LOG_LEVEL: "" };
  expect(loadConfig(schema, env)).toMatchObject({ PORT: 9000, LOG_LEVEL: "info" });
});

test("every wrong variable is named at once, in plain words", () => {
  const failure = failureOf({ PORT: "0", LOG_LEVEL: "loud", POSTGRES_URL: "nonsense" });
  expect(failure.code).toBe("CONFIG_INVALID");
  expect(failure.message.split("\n")).toEqual([
    "The configuration is invalid:",
    "  PORT is wrong: must be at least 1",
    "  LOG_LEVEL is wrong: must be one of debug, info",
    "  POSTGRES_URL is wrong: must be a valid url",
    "  API_SECRET is not set",
  ]);
});

test("no value is repeated, not even by a message the schema's author wrote", () => {
  const leaky = z.object({ TOKEN: z.string().refine(() => false, { error: (issue) => `refused ${issue.input}` }) });
  expect(() => loadConfig(leaky, { TOKEN: "s3cr3t" })).toThrow(/TOKEN is wrong: does not have the expected shape/);
  expect(failureOf({ POSTGRES_URL: "p4ssw0rd", API_SECRET: "short" }).message).not.toMatch(/p4ssw0rd|"short"/);
});
