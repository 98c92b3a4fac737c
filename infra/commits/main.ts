import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Failure, runMain } from "../bootstrap/failure.mjs";
import { problemsOfSubject, subjectOf } from "./subject.ts";

/** Checks the subjects of a range of commits (`origin/main..HEAD`), or of one message in a file (`--file`), as a git hook gets it. */
await runMain(async () => {
  const [first, file] = process.argv.slice(2);
  if (first === undefined)
    throw new Failure("say which commits: origin/main..HEAD, or --file and the file of a message.");
  const wrong = subjectsOf(first, file).flatMap((subject) =>
    problemsOfSubject(subject).map((problem) => `  ${JSON.stringify(subject)}: ${problem}`),
  );
  if (wrong.length > 0) throw new Failure(`a subject is "scope: imperative" (CONTRIBUTING.md):\n${wrong.join("\n")}`);
});

function subjectsOf(first: string, file: string | undefined): string[] {
  if (first === "--file") return [subjectOf(readFileSync(file ?? "", "utf8"))];
  const log = execFileSync("git", ["log", "--format=%s", first], { encoding: "utf8" });
  return log.split("\n").filter((subject) => subject !== "");
}
