import ts from "typescript";
import { describe, expect, test } from "vitest";
import { codeFiles, type ProjectFile, textFiles } from "./repository.ts";

/** A word that the glossary replaces. */
interface Replaced {
  readonly use: string;
  /** Matches an identifier taken apart: `takeInTurn` is "take in turn". */
  readonly words: RegExp;
  /** Files in which it is replaced; elsewhere the word is an ordinary one. */
  readonly within?: RegExp;
  /** Identifiers that are stored or public names. */
  readonly kept?: readonly string[];
}

const REPLACED: readonly Replaced[] = [
  { use: "change event, emit", words: /\b(is|re)?(told|tells?|telling)\b/ },
  { use: "validation", words: /\bdoors?\b/ },
  { use: "intake handler", words: /\b(take|takes|taken|took) in\b(?! turn)/ },
  { use: "activity resolutions", words: /\b(hand ?over) (verdict|row|end)s?\b|\b(insert|read|delete) hand ?over\b/ },
  { use: "verdict of an item only", words: /\b(batch|send) verdicts?\b/ },
  { use: "identifier history, ownedUntil", words: /\bformerly\b|\bheld until\b/, kept: ["formerly"] },
  {
    use: "state reads",
    words: /^(needs?|asking|missing|lookups?)$/,
    within: /^packages\/records\/src\/unitOfWork\//,
  },
  { use: "write conflict", words: /\blost race\b|\bis race\b/ },
  { use: "poison record", words: /\bculprits?\b|\bbroken records?\b/ },
  { use: "consistency", words: /\bsettled\b/, within: /^packages\/api\/src\/consistency\// },
  { use: "watermark", words: /\bsink marks?\b/ },
  { use: "alias revision", words: /\bmerge marks?\b/ },
  { use: "snapshot read", words: /\bone moment\b/ },
  { use: "observation", words: /\bsightings?\b/ },
  { use: "subscription timestamp", words: /\bmoments?\b/, within: /^packages\/records\/src\/contacts\/(?!routes)/ },
  { use: "frame batcher, pending append", words: /\bgather(s|ed|er|ers|ing)?\b|\btickets?\b/ },
  { use: "request context", words: /\bexchanges?\b/, within: /^packages\/http\// },
  { use: "request context", words: /\brunning calls?\b/ },
  { use: "quarantine, refuse", words: /\b(sets?|setting) aside\b|\baside (part|item)s?\b/, kept: ["setAside"] },
  { use: "live", words: /\bliving\b/ },
  { use: "existing", words: /\bstanding\b/ },
  { use: "key admin", words: /\bkey ?books?\b/ },
];

/** Phrases of comments, messages, names of tests and docs. */
const PHRASES: readonly (Omit<Replaced, "words" | "kept"> & { readonly phrase: RegExp })[] = [
  { use: "validation", phrase: /\b(at|of|by|through) (the|both|every|intake's) doors?\b/ },
  { use: "activity resolutions", phrase: /\bhand-?over verdicts?\b/ },
  { use: "write conflict", phrase: /\b(lost|loses|losing) (a|the) race\b/ },
  { use: "poison record", phrase: /\bculprits?\b|\bbroken records?\b/ },
  { use: "watermark", phrase: /\bsink marks?\b/ },
  { use: "alias revision", phrase: /\bmerge marks\b|\bthe merge mark\b/ },
  {
    use: "snapshot read",
    phrase: /\bsees? one moment\b|\bone moment (of|for) /,
    within: /^(apps\/(?!cli)|packages|docs\/decisions)/,
  },
  { use: "observation", phrase: /\bsightings?\b/ },
  { use: "frame batcher", phrase: /\bgather(s|ed|ing)? frames\b/ },
  { use: "request context", phrase: /\brunning calls?\b/ },
  { use: "quarantine, refuse", phrase: /\b(sets?|setting) aside\b/ },
  { use: "live", phrase: /\bliving (contact|record|cart|order)s?\b/ },
  { use: "existing", phrase: /\bstanding (merge|contact|record)s?\b/ },
  { use: "key admin", phrase: /\bkey ?books?\b/ },
];

/** Released migrations stay as they are; this file and the glossary's own history name the old words. */
const UNCHECKED = /\/migrations\/|^test\/architecture\/glossary\.test\.ts$|^CHANGELOG\.md$|^\.changeset\//;

describe("the glossary", () => {
  test("no identifier is a word that it replaces", () => {
    const files = codeFiles().filter(isChecked);
    expect(files.length).toBeGreaterThan(1_000);
    expect(files.flatMap(replacedNamesIn)).toEqual([]);
  });

  test("no comment, message or page says a phrase that it replaces", () => {
    const files = textFiles().filter(isChecked);
    expect(files.length).toBeGreaterThan(1_500);
    expect(files.flatMap(replacedPhrasesIn)).toEqual([]);
  });
});

describe("the search", () => {
  test("finds replaced names of every form, and leaves other words and prose alone", () => {
    const text = `const told = isTold(retold, TOLD_MAX);\n// told\nconst teller = tellAll(this.#tells, 'told');
      takeIn(mergeMark, takeInTurn, setAside, setAsideRows, liveRows, livingRows, TICKETS_MAX);\n`;
    const names = ["told", "isTold", "retold", "TOLD_MAX", "tellAll", "#tells"];
    const others = ["takeIn", "mergeMark", "setAsideRows", "livingRows", "TICKETS_MAX"];
    expect(replacedNamesIn({ path: "planted.ts", text }).map((found) => found.split(" ")[1]?.replace(":", ""))).toEqual(
      [...names, ...others],
    );
  });

  test("finds phrases in comments and pages, over line ends as well", () => {
    const text = "/** A part that was set\n * aside at the door. */\nan outdoor record stands by a merge mark";
    const found = replacedPhrasesIn({ path: "docs/planted.md", text });
    expect(found).toEqual(["docs/planted.md at the door: validation", "docs/planted.md set aside: quarantine, refuse"]);
  });

  test("keeps a word where it is an ordinary one", () => {
    const text = "const missing = exchange.moment;";
    expect(replacedNamesIn({ path: "apps/tracker/src/planted.ts", text })).toEqual([]);
    expect(replacedNamesIn({ path: "packages/records/src/unitOfWork/planted.ts", text })).toHaveLength(1);
  });
});

function isChecked({ path }: ProjectFile): boolean {
  return !UNCHECKED.test(path);
}

function replacedNamesIn({ path, text }: ProjectFile): string[] {
  const rules = REPLACED.filter(({ within }) => within?.test(path) ?? true);
  const ruleOf = (name: string) => {
    const words = wordsOf(name);
    return rules.find((one) => one.words.test(words) && !one.kept?.includes(name));
  };
  // Parsing takes most of the time: a file whose words are all allowed, those of its prose included, needs none.
  const names = new Set(text.match(/#?[A-Za-z_]\w*/g));
  if (![...names].some(ruleOf)) return [];
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      const rule = ruleOf(node.text);
      if (rule !== undefined) found.push(`${path} ${node.text}: ${rule.use}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return found;
}

/** Takes an identifier apart at its capitals and underscores. */
function wordsOf(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/[_#]+/g, " ")
    .trim()
    .toLowerCase();
}

function replacedPhrasesIn({ path, text }: ProjectFile): string[] {
  const plain = text.replaceAll(/\s+(\*|\/\/)?\s*/g, " ");
  return PHRASES.flatMap(({ use, phrase, within }) => {
    const [found] = (within?.test(path) ?? true) ? (phrase.exec(plain) ?? []) : [];
    return found === undefined ? [] : [`${path} ${found}: ${use}`];
  });
}
