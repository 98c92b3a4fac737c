/** Limits of contents and of what they become. */
export const messageLimits = {
  contentBytes: 5 * 1024 * 1024,
  renderedBytes: 1024 * 1024,
  contextBytes: 256 * 1024,
  /** Levels of a context, and of Liquid blocks in one another. */
  nesting: 64,
  /** Elements of an HTML or MJML text, and their levels: inliners and browsers walk them by recursion. */
  elements: 50_000,
  elementLevels: 1_000,
  /** Rules of a style sheet, and characters of one selector. */
  styleRules: 20_000,
  selectorCharacters: 1_000,
  /** Levels of includes in one another. */
  includeDepth: 8,
  renderMs: 1_000,
  headerCharacters: 2_000,
  /** Larger mails are cut off by some mailboxes. */
  clippedBytes: 102 * 1024,
  mistakesShown: 100,
  warningsShown: 100,
} as const;
