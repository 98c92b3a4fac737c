import { runMain } from "./failure.mjs";
import { runPinned } from "./pinnedNode.mjs";
import { testHomeFolder } from "./places.mjs";
import { prepare } from "./prepare.mjs";

await runMain(async () => {
  await prepare({ home: testHomeFolder });
  await runPinned("infra/src/run/zones.ts", process.argv.slice(2));
});
