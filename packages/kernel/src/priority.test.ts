import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { afterEach, expect, test } from "vitest";
import { giveWay } from "./priority.ts";

const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true, stdio: "ignore" });
const pid = child.pid ?? 0;
const autogroup = `/proc/${pid}/autogroup`;
const autogroups = "/proc/sys/kernel/sched_autogroup_enabled";
const hasGroups = existsSync(autogroups) && readFileSync(autogroups, "utf8").trim() === "1";

afterEach(() => {
  child.kill("SIGKILL");
});

test("a process gives way, and where Linux has groups by session so does its session", async () => {
  giveWay(pid, 10);
  expect(getPriority(pid)).toBe(10);
  if (hasGroups) await expect.poll(() => readFileSync(autogroup, "utf8"), { timeout: 5_000 }).toMatch(/ nice 10$/m);
});

test("a process that has ended is none", () => {
  expect(() => giveWay(2 ** 30, 10)).not.toThrow();
});
