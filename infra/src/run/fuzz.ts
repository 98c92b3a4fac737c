import { runMain } from "../../bootstrap/failure.mjs";
import { runScript, vitest } from "./tool.ts";
import { bundleForTests, endWithParent, withServices } from "./withServices.ts";

const PORTS_ABOVE = 400;
const REQUESTS = "100000";

/** `npm run fuzz`: the fuzz of all endpoints of the ingress in its long form; `FUZZ_REQUESTS` and `FUZZ_SEED` change it. */
await runMain(async () => {
  endWithParent();
  await bundleForTests("fuzz");
  const code = await withServices({ name: "fuzz", portsAbove: PORTS_ABOVE }, (env) =>
    runScript(vitest, ["run", "--project", "pipeline", "test/pipeline/fuzz.test.ts", ...process.argv.slice(2)], {
      FUZZ_REQUESTS: REQUESTS,
      ...env,
    }),
  );
  process.exitCode = code;
});
