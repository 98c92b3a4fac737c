/** Bounds of a criteria object; the numbers of the public table of limits. */
export const CRITERIA_LIMITS = {
  depthMax: 10,
  nodesMax: 200,
  valuesMax: 1_000,
  bytesMax: 65_536,
  regexCharactersMax: 256,
  actionCharactersMax: 40,
  /** Nodes of criteria with the saved audiences that they refer to written out. */
  writtenOutMax: 2_000,
  /** Saved audiences that refer to one another in a row. */
  referencesDeepMax: 10,
  saltCharactersMax: 64,
  /** Longest span of a window, in years. */
  spanYearsMax: 200,
} as const;

/** Bounds of the search for what a misspelled name may have meant. */
export const SUGGESTION_LIMITS = {
  /** Names a suggestion has. */
  namesMax: 3,
  /** Misspelled fields and references of one criteria that get suggestions: the first ones. */
  fieldsMax: 20,
  /** Names that are compared letter by letter, the most promising first. */
  candidatesMax: 500,
  /** Pairs of letters of a name and its candidates that are compared. */
  pairsMax: 800_000,
  /** Names whose letters are counted. */
  lookedAtMax: 20_000,
  /** Characters of a name, from its beginning. */
  charactersMax: 128,
  /** Errors past which no allowed names are sorted any more: an answer shows no more. */
  errorsMax: 300,
} as const;
