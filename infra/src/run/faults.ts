import { runMain } from "../../bootstrap/failure.mjs";
import { runScript, vitest } from "./tool.ts";
import { bundleForTests, endWithParent, withServices } from "./withServices.ts";

const PORTS_ABOVE = 200;

/** `npm run faults`: the fault suite in its long form, which HEADWATER_FAULTS=long asks for. */
await runMain(async () => {
  endWithParent();
  await bundleForTests("faults");
  const code = await withServices({ name: "faults", portsAbove: PORTS_ABOVE }, (env) =>
    runScript(vitest, ["run", "--project", "faults", ...process.argv.slice(2)], { ...env, HEADWATER_FAULTS: "long" }),
  );
  process.exitCode = code;
});
