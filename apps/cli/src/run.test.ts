import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const COMMAND = `'${process.execPath}' '${fileURLToPath(new URL("main.ts", import.meta.url))}'`;

/** Runs a line of the shell; it ends as its first command did. */
function bash(line: string) {
  const { status, stderr } = spawnSync("bash", ["-o", "pipefail", "-c", line.replace("headwater", COMMAND)], {
    encoding: "utf8",
  });
  return { status, stderr };
}

test.runIf(existsSync("/dev/full"))("a full disk behind standard output is one sentence, and exits 1", () => {
  const { status, stderr } = bash("headwater completion bash > /dev/full");
  expect(status).toBe(1);
  expect(stderr).toMatch(/^headwater: Standard output cannot be written: ENOSPC.*\n$/);
});

test("who reads only the beginning of the data is no error", () => {
  expect(bash("headwater completion fish | head -c 1 >/dev/null")).toEqual({ status: 0, stderr: "" });
});

test("the exit code is the same when nobody listens on standard error", () => {
  expect(bash("headwater frob 2>&1 >/dev/null | true")).toEqual({ status: 2, stderr: "" });
});
