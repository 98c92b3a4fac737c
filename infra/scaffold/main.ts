import { Failure, runMain } from "../bootstrap/failure.mjs";
import { rootFolder } from "../bootstrap/places.mjs";
import { kindNames, scaffold } from "./scaffold.ts";

/** `npm run new -- <kind> <name>`: a slice that is complete and green, to be filled. */
await runMain(async () => {
  const [kind, name, ...more] = process.argv.slice(2);
  if (kind === undefined || name === undefined || more.length > 0) {
    throw new Failure(`say what to make: npm run new -- ${kindNames.join("|")} <name>`);
  }
  for (const path of scaffold(rootFolder, kind, name)) process.stdout.write(`${path}\n`);
  process.stdout.write("npm run verify shows that it is green; CONTRIBUTING.md says what comes next.\n");
});
