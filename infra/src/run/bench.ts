import { runMain } from "../../bootstrap/failure.mjs";
import { runScript } from "./tool.ts";
import { endWithParent, withServices } from "./withServices.ts";

const PORTS_ABOVE = 100;

/**
 * `npm run bench`: every path next to its limit, on services of its own; `-- --path ingress` for one, `-- --help` for the others. Options
 * are read before anything is started.
 */
await runMain(async () => {
  endWithParent();
  const args = process.argv.slice(2);
  const checked = await runScript("test/load/checkOptions.ts", args, process.env);
  if (checked !== 0 || args.includes("--help")) {
    process.exitCode = checked;
    return;
  }
  const services = { name: "bench", portsAbove: PORTS_ABOVE, isShortLived: false };
  process.exitCode = await withServices(services, (env) => runScript("test/load/main.ts", args, env));
});
