const SUBJECT_CHARS_MAX = 72;
const SCOPED = /^([a-z][\w.-]*(?:, ?[a-z][\w.-]*)*): (\S.*)$/;

/** Subjects that git and the release write by themselves. */
const BY_TOOLS = /^(Merge |Revert "|fixup! |squash! |amend! )/;

/** Endings of words that say what was done or is being done instead of what the commit does. */
const NOT_IMPERATIVE =
  /^(?:\w+(?:ing|ed)|adds|fixes|makes|removes|renames|updates|uses|changes|moves|keeps|tests|writes|says)$/i;
/** Imperatives that end like the others. */
const IMPERATIVES = new Set([
  "bring",
  "embed",
  "feed",
  "need",
  "ping",
  "proceed",
  "seed",
  "shed",
  "speed",
  "spring",
  "string",
  "wing",
]);

/** Returns what is wrong with the subject of a commit, in plain sentences; nothing when it is right. */
export function problemsOfSubject(subject: string): string[] {
  if (BY_TOOLS.test(subject)) return [];
  const length = [...subject].length;
  const problems =
    length > SUBJECT_CHARS_MAX ? [`it has ${length} characters, and at most ${SUBJECT_CHARS_MAX} are shown`] : [];
  const [, , summary] = SCOPED.exec(subject) ?? [];
  if (summary === undefined) return [...problems, "it does not begin with a scope in lower case, as `service: ` does"];
  const [verb = ""] = summary.split(/[\s,]/, 1);
  if (NOT_IMPERATIVE.test(verb) && !IMPERATIVES.has(verb.toLowerCase())) {
    problems.push(`"${verb}" is no imperative: say what the commit does, as "add" or "refuse" do`);
  }
  if (summary.endsWith(".")) problems.push("it ends with a full stop");
  return problems;
}

/** Returns the subject of a message as git stores it: its first line that is not a comment. */
export function subjectOf(message: string): string {
  return (
    message
      .split("\n")
      .find((line) => line.trim() !== "" && !line.startsWith("#"))
      ?.trimEnd() ?? ""
  );
}
