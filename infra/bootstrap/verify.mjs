import { runMain } from "./failure.mjs";
import { runPinned } from "./pinnedNode.mjs";
import { prepare } from "./prepare.mjs";

await runMain(async () => {
  await prepare();
  await runPinned("infra/src/run/verify.ts", process.argv.slice(2));
});
