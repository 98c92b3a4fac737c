import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { problemsOfSubject, subjectOf } from "./subject.ts";

test.each([
  "projector: quarantine a poison record in every group",
  "contract: wait for the leaders of topics that were just made",
  "docs, infra: bring the guide up to the code",
  "api-client: feed pages one by one",
  'Revert "service: add a route"',
  "Merge branch 'main' into orders",
])("%j is a right subject", (subject) => expect(problemsOfSubject(subject)).toEqual([]));

test.each([
  ["Fix stuff", "scope"],
  ["service: added a route", "imperative"],
  ["service: adding a route", "imperative"],
  ["service: fixes the route", "imperative"],
  ["Service: add a route", "scope"],
  ["service: add a route.", "full stop"],
  [`service: add ${"x".repeat(60)}`, "73 characters"],
])("%j is refused", (subject, problem) => {
  expect(problemsOfSubject(subject).join()).toContain(problem);
});

test("72 characters are not too long, and characters are counted, not bytes", () => {
  expect(problemsOfSubject(`service: add ${"é".repeat(59)}`)).toEqual([]);
});

test("the subject of a message is its first line that is no comment", () => {
  expect(subjectOf("\n# a comment\nservice: add a route\n\nWhy.\n")).toBe("service: add a route");
});

test("the hook refuses a message and the range check names the commit", () => {
  const folder = mkdtempSync(join(tmpdir(), "commits-"));
  const main = fileURLToPath(new URL("main.ts", import.meta.url));
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: folder });
  const check = (...args: string[]) => spawnSync(process.execPath, [main, ...args], { cwd: folder, encoding: "utf8" });
  try {
    git("init", "--quiet");
    git("commit", "--quiet", "--allow-empty", "-m", "first: begin");
    git("commit", "--quiet", "--allow-empty", "-m", "Did something");
    expect(check("HEAD~1..HEAD")).toMatchObject({ status: 1, stderr: expect.stringContaining("Did something") });
    writeFileSync(join(folder, "message"), "service: add a route\n\nWhy.\n");
    expect(check("--file", "message")).toMatchObject({ status: 0 });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
