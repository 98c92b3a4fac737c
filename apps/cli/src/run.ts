import { connect } from "./connections.ts";
import { exitCodes, sayFailure } from "./failure.ts";
import { runCommand } from "./runCommand.ts";
import { createTerminal } from "./terminal.ts";

const terminal = createTerminal(process);

// Who reads only the beginning (`| head`) closes the pipe: that is no error. Any other is one, such as a full disk.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  sayFailure(terminal, new Error(`Standard output cannot be written: ${error.message}`), false);
  process.exit(exitCodes.error);
});
// Whom nobody listens to on standard error goes on with the data.
process.stderr.on("error", () => undefined);

/** The composition root of the `headwater` command. */
process.exitCode = await runCommand({ args: process.argv.slice(2), env: process.env, terminal, connect });
