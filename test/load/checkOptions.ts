import { endWithFailure } from "./world/endWithFailure.ts";
import { help, readOptions } from "./world/options.ts";

/** What can be said of the options of `npm run bench` before its services are started: help, or what is wrong with one. */
const args = process.argv.slice(2);
try {
  if (args.includes("--help")) process.stdout.write(help);
  else readOptions(args);
} catch (error) {
  endWithFailure(error);
}
