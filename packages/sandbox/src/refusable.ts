/** Result of a task that may refuse what it was given, as a value that goes between processes. */
export type Refusable<Output, Refusal> =
  | { readonly kind: "done"; readonly output: Output }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/**
 * Runs the work of a task.
 * @param refusalOf describes an error that blames what was given, and returns undefined for any other: that one is thrown.
 */
export async function refusable<Output, Refusal>(
  run: () => Promise<Output>,
  refusalOf: (error: unknown) => Refusal | undefined,
): Promise<Refusable<Output, Refusal>> {
  try {
    return { kind: "done", output: await run() };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    return { kind: "refused", refusal };
  }
}
