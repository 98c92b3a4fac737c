/**
 * The child's side of `startWorker`: answers one task after another until the parent closes the channel or is gone.
 * A task that throws ends the process: a bench with a wrong part has no figures.
 */
export function serveTasks(run: (task: unknown) => Promise<unknown>): void {
  process.on("message", (task) => {
    run(task).then(
      (result) => process.send?.({ result }),
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
        process.exit(1);
      },
    );
  });
  process.once("disconnect", () => process.exit(0));
  process.send?.({ ready: true });
}
