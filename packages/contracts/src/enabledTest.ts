interface Test {
  readonly enabled: boolean;
}

/** A message's one experiment in force. */
export interface EnabledTest<Own extends Test> {
  /** Place among the tests of the message. */
  readonly place: number;
  readonly test: Own;
}

/** Finds the experiment of a message: the one of its tests that is enabled. */
export function findEnabledTest<Own extends Test>(tests: readonly Own[]): EnabledTest<Own> | undefined {
  const place = tests.findIndex(({ enabled }) => enabled);
  const test = tests[place];
  return test === undefined ? undefined : { place, test };
}
