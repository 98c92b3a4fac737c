import { runMain } from "./failure.mjs";
import { runPinned } from "./pinnedNode.mjs";
import { testHomeFolder } from "./places.mjs";
import { prepare } from "./prepare.mjs";

await runMain(async () => {
  try {
    await prepare({ home: testHomeFolder });
  } catch (error) {
    // Those who read the last line learn that nothing ran.
    process.once("exit", () => process.stdout.write("0 passed, 1 failed\n"));
    throw error;
  }
  await runPinned("infra/src/run/suites.ts", process.argv.slice(2));
});
