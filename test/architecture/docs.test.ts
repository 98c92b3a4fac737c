import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { plant, ROOT, read, textFiles } from "./repository.ts";

const README_LINES_MAX = 60;
const ROOT_README_LINES_MAX = 110;
const DECISIONS = "docs/decisions/";
/** The index of the decisions is a list, and nobody reads it as a page. */
const INDEX = `${DECISIONS}README.md`;
const PARTS = ["Context", "Decision", "Refused", "Consequences"];
/** More of them nobody reads: other reasons stand above the code that they govern. */
const DECISIONS_MAX = 40;
/** Shorter than this a part says nothing. */
const PART_CHARACTERS_MIN = 40;

const pages = textFiles().filter(({ path }) => path.endsWith(".md"));
const decisions = pages.filter(({ path }) => path.startsWith(DECISIONS) && path !== INDEX);

test("each README is one screen", () => {
  const readmes = pages.filter(({ path }) => path.endsWith("README.md") && path !== INDEX);
  expect(readmes.length).toBeGreaterThan(20);
  const long = readmes.filter(({ path, text }) => linesOf(text) > linesMaxOf(path));
  expect(long.map(({ path, text }) => `${path}: ${linesOf(text)}`)).toEqual([]);
});

test("at most 40 decisions stay, those that are costly to take back", () => {
  expect(decisions.length).toBeGreaterThan(20);
  expect(decisions.length).toBeLessThanOrEqual(DECISIONS_MAX);
});

test("each decision has its context, what was decided, what was refused with the reason, and what follows from it", () => {
  expect(decisions.flatMap(({ path, text }) => missingParts(text).map((part) => `${path}: ${part}`))).toEqual([]);
});

test("the search for parts finds a missing, an empty and a short one, and refused alternatives without a list", () => {
  const text = (of: Readonly<Record<string, string>>) =>
    `# 0001. A\n\n${Object.entries(of)
      .map(([title, body]) => `## ${title}\n\n${body}\n`)
      .join("\n")}`;
  const said = "It says what follows, and why, in a sentence.";
  const whole = { Context: said, Decision: said, Refused: `- ${said}`, Consequences: said };
  expect(missingParts(text(whole))).toEqual([]);
  expect(missingParts(text({ ...whole, Decision: "", Consequences: "None." }))).toEqual(["Decision", "Consequences"]);
  expect(missingParts(text({ ...whole, Refused: said }))).toEqual(["Refused"]);
  expect(missingParts(text({ Decision: said, Refused: `- ${said}`, Consequences: said }))).toEqual(["Context"]);
});

test("decisions are numbered without a gap, in their files and in their titles", () => {
  const numbers = decisions.map(({ path }) => path.slice(DECISIONS.length).split("-")[0]);
  expect(numbers).toEqual(decisions.map((_, index) => String(index + 1).padStart(4, "0")));
  expect(decisions.map(({ text }) => /^# (\d{4})\. \S/.exec(text)?.[1])).toEqual(numbers);
});

test("the index lists every decision under its title", () => {
  const lines = new Set(read(INDEX).split("\n"));
  const missing = decisions.filter(({ path, text }) => {
    const [, number, title] = /^# (\d{4})\. (.+)/.exec(text) ?? [];
    return !lines.has(`- [${number}](${path.slice(DECISIONS.length)}) ${title}`);
  });
  expect(missing.map(({ path }) => path)).toEqual([]);
  expect([...lines].filter((line) => line.startsWith("- ["))).toHaveLength(decisions.length);
});

test("every relative link of a page leads to a file, and to a heading where it names one", () => {
  expect(pages.flatMap((page) => brokenLinks(page, ROOT))).toEqual([]);
});

test("the search for links finds a missing file, a missing heading, and nothing else", () => {
  using world = plant({ "docs/a.md": "# A `b`, c\n\n```md\n# Not a heading\n```\n" });
  const links = ["a.md", "./a.md#a-b-c", "../docs", "https://example.com/x.md", "b.md", "a.md#not-a-heading"];
  const page = { path: "docs/page.md", text: links.map((link) => `[x](${link})`).join("\n") };
  expect(brokenLinks(page, world.folder)).toEqual(["docs/page.md: b.md", "docs/page.md: a.md#not-a-heading"]);
});

function linesMaxOf(path: string): number {
  return path === "README.md" ? ROOT_README_LINES_MAX : README_LINES_MAX;
}

function linesOf(text: string): number {
  return text.trimEnd().split("\n").length;
}

/** Returns the parts of a decision that are missing or say nothing; what was refused is a list with at least one item. */
function missingParts(text: string): string[] {
  const sections = text.split(/^## /m).slice(1);
  const bodies = new Map(sections.map((one) => [one.split("\n", 1)[0], one.slice(one.indexOf("\n")).trim()]));
  return PARTS.filter((part) => {
    const body = bodies.get(part) ?? "";
    return body.length < PART_CHARACTERS_MIN || (part === "Refused" && !/^- \S/m.test(body));
  });
}

/** Returns the links of a page that lead nowhere in the given folder. */
function brokenLinks({ path, text }: { readonly path: string; readonly text: string }, root: string): string[] {
  const prose = withoutBlocks(text).replaceAll(/`[^`\n]*`/g, "");
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  const broken = links.filter((link) => !/^[a-z]+:/.test(link) && !leadsSomewhere(join(root, path), link));
  return broken.map((link) => `${path}: ${link}`);
}

function leadsSomewhere(page: string, link: string): boolean {
  const [file = "", heading] = link.split("#");
  const target = file === "" ? page : join(dirname(page), file);
  if (!existsSync(target)) return false;
  return heading === undefined || headingsOf(target).includes(heading);
}

/** Returns the anchors of a page's headings: lower case, without punctuation, hyphens for spaces. */
function headingsOf(page: string): string[] {
  const titles = [...withoutBlocks(readFileSync(page, "utf8")).matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => title);
  return titles.map((title) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

function withoutBlocks(text: string): string {
  return text.replaceAll(/^```.*?^```/gms, "");
}
