import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { ROOT } from "./repository.ts";

/** Has a process print what it has loaded when it exits. */
const PRINT_LOADED = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from "node:fs";
  import { registerHooks } from "node:module";
  const loaded = [];
  registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
  process.on("exit", () => {
    const clients = loaded.filter((url) => /node_modules\\/(@aws-sdk|@smithy|@azure|ssh2|ssh2-sftp-client)\\//.test(url));
    writeSync(1, JSON.stringify({ modules: loaded.length, clients }));
  });
`)}`;
const printed = z.object({ modules: z.number(), clients: z.array(z.string()) });

function loadedBy(path: string) {
  // Without configuration a process ends when its modules are loaded.
  const args = ["--import", PRINT_LOADED, join(ROOT, path)];
  const { stdout } = spawnSync(process.execPath, args, { env: {}, encoding: "utf8" });
  return printed.parse(JSON.parse(stdout.slice(stdout.lastIndexOf('{"modules"'))));
}

test.each(["service", "worker"])("the %s starts without the clients of storages", (app) => {
  const { modules, clients } = loadedBy(`apps/${app}/src/main.ts`);
  expect(modules).toBeGreaterThan(100);
  expect(clients).toEqual([]);
});

test("the search finds the clients where they are loaded", () => {
  expect(loadedBy("packages/jobs/src/destinations/s3/s3Protocol.ts").clients).not.toEqual([]);
});
