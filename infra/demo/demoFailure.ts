/** Reason why the demo cannot go on, in one plain sentence. */
export class DemoFailure extends Error {
  override readonly name = "DemoFailure";
}
