import { runMain } from "../../bootstrap/failure.mjs";
import { say } from "../../bootstrap/say.mjs";
import { zonedArgs } from "./suiteTable.ts";
import { runScript } from "./tool.ts";
import { endWithParent } from "./withServices.ts";

/**
 * `npm run test:zones`: the suites on real services once in each zone of `HOST_ZONES`, the services in it too. It takes `--project` and
 * paths as `npm test` does.
 */
await runMain(async () => {
  endWithParent();
  let isGreen = true;
  for (const { timezone, args } of zonedArgs(process.argv.slice(2))) {
    say(`suites in ${timezone}`);
    const code = await runScript("infra/src/run/suites.ts", args, { ...process.env, TZ: timezone });
    isGreen &&= code === 0;
  }
  process.exitCode = isGreen ? 0 : 1;
});
