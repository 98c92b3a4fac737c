/**
 * A reason to stop that a person can act on. Its message is one plain sentence, printed as it is, without a stack;
 * everything else that is thrown is a bug and keeps its stack.
 */
export class Failure extends Error {
  /** @param {string} sentence what went wrong and what to do about it */
  constructor(sentence) {
    super(sentence);
    this.name = "Failure";
  }
}

/**
 * Runs a command's main function; a Failure ends it with its sentence and exit code 1.
 * @param {() => Promise<void>} main
 */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    process.stderr.write(`headwater: ${error.message}\n`);
    process.exitCode = 1;
  }
}
