import { createRequire } from "node:module";
import { MC_ID_PATTERN, MESSAGE_ID_PATTERN } from "@headwater/contracts";
import { FORMULA, PLAIN_SIGNED, SIGNED } from "@headwater/jobs/files/formulaMark";
import { expect, test, vi } from "vitest";
import { type FoundRegex, isEndless, regexesIn, simplified } from "./regexes.ts";
import { shippedFiles } from "./repository.ts";

/** Code that reads what its own installation or its own process wrote. */
const OWN_TEXTS = [
  /^infra\//,
  /^apps\/cli\//,
  /^packages\/(api-client|client|sandbox)\//,
  /^packages\/clickhouse\/src\/cluster\.ts$/,
  /^apps\/projector\/src\/sink\/testServer\.ts$/,
  /^apps\/service\/src\/testService\.ts$/,
  /\/generated\//,
];

/** Code that runs in processes of the sandbox alone, where a deadline ends it and nobody else waits for it. */
const SANDBOXED = /^packages\/messaging\/src\/prepare\//;

/** Expressions whose time grows faster than their text, and the bound of the text that the code enforces where it uses them. */
const BOUNDED = [
  {
    path: "packages/criteria/src/parse/regexSyntax.ts",
    begins: "\\\\Q[\\s\\S]*?",
    bound:
      "`parseRegex` in textTests.ts refuses expressions of more than 256 characters before it asks for their problem",
  },
];

/** Files that put expressions together, with one that reads like each of them. */
const BUILT: Readonly<Record<string, readonly string[]>> = {
  "packages/records/src/carts/routes/removeCartitem.ts": ["^[1-9][0-9]{0,9}$"],
  // The same texts as ClickHouse matches.
  "packages/jobs/src/files/formulaMark.ts": [FORMULA, SIGNED, PLAIN_SIGNED],
  // Identifiers, which are escaped, in a file of an account that is searched for whom it names.
  "packages/jobs/src/sources/textSearch.ts": [`ada@example\\.org|(?:^|[\\s,;|:"'])12(?:$|[\\s,;|"'}\\]])`],
  "packages/criteria/src/decimal.ts": ["^[+-]?\\d{1,20}(?:\\.\\d+)?$"],
  // Only its syntax is tried.
  "packages/criteria/src/parse/regexSyntax.ts": [],
  // Numbers of one to four digits, and signs that are escaped, of a format of at most 32 characters.
  "packages/contracts/src/dateFormat.ts": ["^(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4}) (\\d{1,2}):(\\d{1,2})$"],
  "packages/contracts/src/mcId.ts": [MC_ID_PATTERN, MESSAGE_ID_PATTERN],
  "packages/contracts/src/storedSecrets.ts": ["^/(?:webhookSecret|storage/[^/]+/(?:password|privateKey))(?:/|$)"],
  // A copy of one that is written in the file.
  "packages/clickhouse/src/documentText.ts": [],
};

/** Longest time for one expression on a busy machine: the slowest takes a second of a core. */
const TIMEOUT_MS = 30_000;

type Validated =
  | { readonly status: "safe" }
  | { readonly status: "vulnerable"; readonly complexity: { readonly summary: string } }
  | { readonly status: "unknown"; readonly error: { readonly kind: string } };
type Check = (source: string, flags: string, options: object) => Validated;

/** Loads what validates expressions, without Java and without native programs. */
function loadCheck(): Check {
  vi.stubEnv("RECHECK_BACKEND", "pure");
  const loaded: { readonly checkSync: Check } = createRequire(import.meta.url)("recheck");
  return loaded.checkSync;
}

const files = shippedFiles().filter(({ path }) => !SANDBOXED.test(path) && !OWN_TEXTS.some((own) => own.test(path)));
const found = files.map(regexesIn);
const check = loadCheck();

/** Returns what is wrong with an expression; undefined for one that takes time linear in its text. */
function problemOf(regex: Pick<FoundRegex, "source" | "flags">): string | undefined {
  const { source, flags } = simplified(regex);
  if (!isEndless(source)) return undefined;
  // Automata know no look-around, and texts that are tried prove nothing.
  if (/\(\?<?[=!]/.test(source)) return "looks around and repeats without end: write it as code";
  const result = check(source, flags, { checker: "automaton", timeout: TIMEOUT_MS });
  if (result.status === "safe") return undefined;
  return result.status === "vulnerable" ? result.complexity.summary : `not judged: ${result.error.kind}`;
}

function isBounded({ path, source }: FoundRegex): boolean {
  return BOUNDED.some((bounded) => bounded.path === path && source.startsWith(bounded.begins));
}

test("every regular expression that meets foreign text takes time linear in it, or meets short texts alone", () => {
  const validated = new Map<string, string>();
  const problems = new Map<string, string>();
  const written = found.flatMap((file) => file.written).filter((regex) => !isBounded(regex));
  const built = Object.entries(BUILT).flatMap(([path, sources]) => {
    return sources.map((source) => ({ path, line: 0, source, flags: "" }));
  });
  for (const { path, line, source, flags } of [...written, ...built]) {
    const text = `/${source}/${flags}`;
    const problem = validated.get(text) ?? problemOf({ source, flags }) ?? "linear";
    validated.set(text, problem);
    if (problem !== "linear") problems.set(`${path}:${line} ${text}`, problem);
  }
  expect(Object.fromEntries(problems)).toEqual({});
  expect(validated.size).toBeGreaterThan(200);
});

test("no expression is put together anywhere else, and each exception is still there", () => {
  const paths = new Set(found.flatMap(({ built }) => built.map(({ path }) => path)));
  expect([...paths].toSorted()).toEqual(Object.keys(BUILT).toSorted());
  const bounded = found.flatMap(({ written }) => written.filter(isBounded));
  expect(bounded).toHaveLength(BOUNDED.length);
});

test.each([
  ["0+$", "", "2nd degree polynomial"],
  ["^(a+)+$", "", "exponential"],
  ["^-{2,}.*(below this line|original message).*$", "im", "2nd degree polynomial"],
  ["[^@]{1,255}@[^@]{1,255}", "", "2nd degree polynomial"],
  ["^[a-z]{1,64}@[^@]{1,255}$", "i", undefined],
  ["^--.*$", "gm", undefined],
  ["a*(?=b)", "", "looks around and repeats without end: write it as code"],
  ["(?<!a)b{1,3}", "", undefined],
])("/%s/%s is judged as it should be", (source, flags, problem) => {
  expect(problemOf({ source, flags })).toBe(problem);
});
