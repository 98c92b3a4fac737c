import { join } from "node:path";
import { Failure, runMain } from "../../bootstrap/failure.mjs";
import { rootFolder } from "../../bootstrap/places.mjs";
import { say } from "../../bootstrap/say.mjs";
import { run } from "../run.ts";
import { endWithParent } from "./withServices.ts";

/** The architecture suite holds the direction of imports (dependency-cruiser), the tasks of turbo and the rules of style. */
const CHECKS = [
  { name: "format and lint", command: "biome", args: ["check", "--error-on-warnings", "."] },
  { name: "types", command: "../typescript-native/bin/tsc", args: ["--noEmit", "-p", "."] },
  { name: "dead code", command: "knip", args: ["--no-progress"] },
  { name: "unit and architecture", command: "vitest", args: ["run", "--project", "unit", "--project", "architecture"] },
] as const;

/** `npm run verify`: all that needs no service, in about a minute; what fails shows its output. */
await runMain(async () => {
  endWithParent();
  const failed: string[] = [];
  for (const { name, command, args } of CHECKS) {
    const startedAtMs = performance.now();
    const { code, output } = await run(join(rootFolder, "node_modules", ".bin", command), args, { cwd: rootFolder });
    if (code !== 0) failed.push(name);
    if (code !== 0) process.stdout.write(output);
    say(`${name}: ${code === 0 ? "right" : "wrong"} (${((performance.now() - startedAtMs) / 1000).toFixed(1)} s)`);
  }
  if (failed.length > 0) throw new Failure(`verify found mistakes in: ${failed.join(", ")}.`);
});
