import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect } from "vitest";
import { test } from "./sharedStack.ts";
import type { Caller, Stack } from "./stack.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const guide = readFileSync(new URL("../../docs/producers.md", import.meta.url), "utf8");
const TIMEOUT_MS = 60_000;
const hasPython = spawnSync("python3", ["--version"]).status === 0;

/** The guide's blocks of one language, in order. */
function blocksOf(language: string): string[] {
  return [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(([, code = ""]) => code);
}

let stack: Stack;
let caller: Caller;
let environment: Record<string, string | undefined>;
test.beforeAll(async ({ stack: shared }) => {
  stack = shared;
  caller = await stack.caller("guide");
  const { ingressUrl, serviceUrl, apiKey } = caller.connection;
  environment = { ...process.env, INTAKE_URL: ingressUrl, SERVICE_URL: serviceUrl, API_KEY: apiKey };
});

/** Runs a block as its reader would. @returns its output; it has to end well. */
async function run(command: string, args: readonly string[], code: string): Promise<string> {
  const child = spawn(command, [...args, code], {
    cwd: ROOT,
    env: environment,
    timeout: TIMEOUT_MS,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let complaints = "";
  child.stdout.on("data", (chunk) => (output += String(chunk)));
  child.stderr.on("data", (chunk) => (complaints += String(chunk)));
  const ended = await new Promise((resolve, reject) => child.on("close", resolve).on("error", reject));
  expect([ended, complaints]).toEqual([0, ""]);
  return output;
}

// With a pipe as its input bash may take itself for a remote shell and read its settings.
const shell = (code: string) => run("bash", ["--norc", "-euo", "pipefail", "-c"], code);

describe("docs/producers.md", () => {
  test("the curl blocks of the guide do what the text says", async () => {
    const [variables = "", single = "", batch = "", validate = "", ...more] = blocksOf("bash");
    expect(more).toEqual([]);
    const outputs = [];
    for (const block of [single, batch, validate]) outputs.push(JSON.parse(await shell(variables + block)));
    expect(outputs[0]).toMatchObject({ state: "applied", records: { applied: 1 } });
    expect(outputs[1]).toMatchObject({ accepted: 1, rejected: 1, items: [{ index: 1, path: "/contactactivities" }] });
    expect(outputs[2]).toMatchObject({ valid: 1, warnings: [{ path: "/atributes", suggestion: "attributes" }] });
  });

  test("the Node block of the guide sends, follows its receipts and ends by itself", async () => {
    const [block = "", ...more] = blocksOf("js");
    expect(more).toEqual([]);
    const output = await run(process.execPath, ["--input-type=module", "-e"], block);
    expect(output).toMatch(/^\d requests, 2500 contacts applied\n$/);
    expect(await caller.get("/v2/contacts/email:node-2499@example.com")).toMatchObject({
      status: 200,
      body: { attributes: { number: 2_499 } },
    });
  });

  test.runIf(hasPython)("the Python block of the guide sends and follows its receipt", async () => {
    const [block = "", ...more] = blocksOf("python");
    expect(more).toEqual([]);
    expect(await run("python3", ["-c"], block)).toBe("applied 0 refused\n");
    expect(await caller.get("/v2/contacts/email:python-999@example.com")).toMatchObject({ status: 200 });
  });
});
