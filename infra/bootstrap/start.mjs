import { runMain } from "./failure.mjs";
import { runPinned } from "./pinnedNode.mjs";
import { homeFolder } from "./places.mjs";
import { prepare } from "./prepare.mjs";

await runMain(async () => {
  await prepare({ home: homeFolder(process.env) });
  await runPinned("infra/src/start/main.ts", process.argv.slice(2));
});
