import { Failure, runMain } from "../../bootstrap/failure.mjs";
import { say } from "../../bootstrap/say.mjs";
import { HOST_ZONES, zoneRuns } from "./suiteTable.ts";
import { runScript } from "./tool.ts";
import { endWithParent } from "./withServices.ts";

/**
 * `npm run test:zones`: every suite once in each zone of `HOST_ZONES`, the services in it too. It takes `--project` and paths as `npm test`
 * does, and `--zone` for one zone alone.
 */
await runMain(async () => {
  endWithParent();
  const runs = zoneRuns(process.argv.slice(2));
  if (runs === undefined) throw new Failure(`--zone takes ${HOST_ZONES.join(" or ")}.`);
  let isGreen = true;
  for (const { timezone, args } of runs) {
    say(`suites in ${timezone}`);
    const code = await runScript("infra/src/run/suites.ts", args, { ...process.env, TZ: timezone });
    isGreen &&= code === 0;
  }
  process.exitCode = isGreen ? 0 : 1;
});
