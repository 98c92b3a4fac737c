interface Test {
  readonly enabled: boolean;
}

/** A message's one experiment in force. */
export interface EnabledTest<Own extends Test> {
  /** Position among the tests of the message. */
  readonly place: number;
  readonly test: Own;
}

/** Finds the experiment of a message: the one of its tests that is enabled. */
export function findEnabledTest<Own extends Test>(tests: readonly Own[]): EnabledTest<Own> | undefined {
  const index = tests.findIndex(({ enabled }) => enabled);
  const test = tests[index];
  return test === undefined ? undefined : { place: index, test };
}
