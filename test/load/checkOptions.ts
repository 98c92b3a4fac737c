import { endWithFailure } from "./world/endWithFailure.ts";
import { help, readOptions } from "./world/options.ts";

/** Checks the options of `npm run bench` before its services start: shows help, or what is wrong with one. */
const args = process.argv.slice(2);
try {
  if (args.includes("--help")) process.stdout.write(help);
  else readOptions(args);
} catch (error) {
  endWithFailure(error);
}
