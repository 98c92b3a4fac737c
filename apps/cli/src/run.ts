import { connect } from "./connections.ts";
import { runCommand } from "./runCommand.ts";
import { createTerminal } from "./terminal.ts";

// Who reads only the beginning (`| head`) closes the pipe: that is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

/** The composition root of the `headwater` command. */
process.exitCode = await runCommand({
  args: process.argv.slice(2),
  env: process.env,
  terminal: createTerminal(process),
  connect,
});
