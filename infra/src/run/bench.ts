import { runMain } from "../../bootstrap/failure.mjs";
import { runScript } from "./tool.ts";
import { endWithParent, withServices } from "./withServices.ts";

const PORTS_ABOVE = 100;

/** `npm run bench`: every path beside its limit, on services of its own; `-- --path ingress` for one. */
await runMain(async () => {
  endWithParent();
  const code = await withServices({ name: "bench", portsAbove: PORTS_ABOVE }, (env) =>
    runScript("test/load/main.ts", process.argv.slice(2), env),
  );
  process.exitCode = code;
});
