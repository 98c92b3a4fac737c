import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { BoundedLog } from "./boundedLog.ts";
import { Guard } from "./guard.ts";
import { SupervisedProcess, type SupervisedProcessOptions } from "./supervisedProcess.ts";

let folder: string;
let guard: Guard;
const started: SupervisedProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "supervised-"));
  guard = new Guard();
});

afterEach(async () => {
  for (const child of started.splice(0)) await child.stop();
  guard.close();
  rmSync(folder, { recursive: true });
});

/** A shell that runs `lines` in the test's folder; it is ready when there is a file "ready". */
function supervise(lines: string, differences: Partial<SupervisedProcessOptions> = {}): SupervisedProcess {
  const child = new SupervisedProcess({
    name: "child",
    plan: async () => ({ command: "/bin/sh", args: ["-c", lines], env: { PATH: process.env.PATH }, cwd: folder }),
    isReady: async () => existsSync(join(folder, "ready")),
    log: new BoundedLog(join(folder, "child.log")),
    guard,
    autoRestart: true,
    ...differences,
  });
  started.push(child);
  return child;
}

/** One that has ended and that nobody has waited for (state Z) does not count. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.trim().startsWith("Z");
}

const FOREVER = "echo started; touch ready; exec sleep 1000";

test("a process that is killed is started again and is ready again", async () => {
  const child = supervise(FOREVER);
  await child.start();
  const first = child.pid();
  child.kill("SIGKILL");
  await child.ready();
  expect(child.pid()).not.toBe(first);
  expect(child.restarts()).toBe(1);
  await expect.poll(() => readFileSync(child.logFile, "utf8")).toBe("started\n-- child ended: SIGKILL\nstarted\n");
});

test("a process with autoRestart off stays down until it is started again", async () => {
  const child = supervise(FOREVER, { autoRestart: false });
  await child.start();
  child.kill("SIGKILL");
  await expect.poll(() => child.pid() === undefined).toBe(true);
  expect(await child.state()).toBe("down");
  await expect(child.ready()).rejects.toThrow("child does not answer");
  await child.restart();
  expect(await child.state()).toBe("ready");
});

test("a process that never becomes ready is given up after three ends, with the end of its log", async () => {
  const child = supervise("echo no luck; exit 3");
  await expect(child.start()).rejects.toThrow(
    /child does not answer; the end of its log .*child\.log:\n(.*\n)*no luck\n-- child ended: code 3$/,
  );
  expect(child.restarts()).toBe(2);
});

test("what a process started in its group ends with it", async () => {
  const child = supervise("sleep 1000 & echo $! > grandchild; touch ready; wait");
  await child.start();
  await expect.poll(() => existsSync(join(folder, "grandchild"))).toBe(true);
  const grandchild = Number(readFileSync(join(folder, "grandchild"), "utf8"));
  expect(isAlive(grandchild)).toBe(true);
  await child.stop();
  await expect.poll(() => !isAlive(grandchild)).toBe(true);
});

test("a stopped process (SIGSTOP) is woken to be ended", async () => {
  const child = supervise(FOREVER);
  await child.start();
  child.kill("SIGSTOP");
  await child.stop();
  expect(child.pid()).toBeUndefined();
  expect(await child.state()).toBe("stopped");
});

test("a process that stops answering is killed and started again, and counted", async () => {
  let isAlive = true;
  const life = { isAlive: async () => isAlive, standstillMs: 200, checkEveryMs: 20 };
  const child = supervise(FOREVER, { life });
  await child.start();
  const first = child.pid();
  await expect.poll(() => readFileSync(child.logFile, "utf8")).toBe("started\n");
  isAlive = false;
  await expect.poll(() => child.standstills()).toBe(1);
  await expect.poll(() => child.restarts()).toBe(1);
  await child.ready();
  expect(child.pid()).not.toBe(first);
  expect(readFileSync(child.logFile, "utf8")).toContain(
    "-- child has stopped answering: killed, to be started again\n",
  );
});

test("a process that is starting, or that somebody has paused, is not killed for its silence", async () => {
  let checks = 0;
  let isAlive = false;
  const life = {
    isAlive: async () => {
      checks += 1;
      return isAlive;
    },
    standstillMs: 100,
    checkEveryMs: 20,
  };
  const child = supervise(FOREVER, { life });
  await child.start();
  await expect.poll(() => checks).toBeGreaterThan(20);
  isAlive = true;
  const answered = checks;
  await expect.poll(() => checks).toBeGreaterThan(answered + 2);
  child.kill("SIGSTOP");
  isAlive = false;
  const paused = checks;
  await expect.poll(() => checks).toBeGreaterThan(paused + 20);
  expect([child.standstills(), child.restarts()]).toEqual([0, 0]);
});

test("children die with a parent that is killed -9", async () => {
  const script = `
    import { Guard } from "${new URL("guard.ts", import.meta.url)}";
    import { BoundedLog } from "${new URL("boundedLog.ts", import.meta.url)}";
    import { SupervisedProcess } from "${new URL("supervisedProcess.ts", import.meta.url)}";
    const child = new SupervisedProcess({
      name: "child", guard: new Guard(), autoRestart: true, log: new BoundedLog("${folder}/log"), isReady: async () => true,
      plan: async () => ({ command: "sleep", args: ["1000"], env: process.env }),
    });
    await child.start();
    console.log(child.pid());
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(parent.stdout, "data");
  const pid = Number(String(line));
  expect(isAlive(pid)).toBe(true);
  parent.kill("SIGKILL");
  await expect.poll(() => !isAlive(pid)).toBe(true);
});
