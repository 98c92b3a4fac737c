import ts from "typescript";
import { expect, test } from "vitest";
import { codeFiles, type ProjectFile, shippedFiles, textFiles } from "./repository.ts";

const FILE_LINES_MAX = 400;
/** Nobody writes these: a test compares them with what they are made from. */
const GENERATED = /\/generated\//;
/** Limit of a function's lines, without the functions inside it, which are counted on their own. */
const FUNCTION_LINES_MAX = 60;
/** Limit of a function's lines, the functions inside it included: a longer one is to be a class. */
const WHOLE_FUNCTION_LINES_MAX = 80;
/** Files that give a value its brand, once, after it was checked. Nothing else is cast. */
const BRANDING_FILES = new Set<string>([]);

interface Finding {
  readonly rule: string;
  readonly at: string;
}

/** Every mistake of the given kinds in a file, found in its syntax tree. */
function inspect(file: ProjectFile): Finding[] {
  const kind = file.path.endsWith(".ts") ? ts.ScriptKind.TS : ts.ScriptKind.JS;
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true, kind);
  const found: Finding[] = [];
  const visit = (node: ts.Node): void => {
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    for (const rule of rulesBrokenBy(node, source)) {
      found.push({ rule, at: `${file.path}:${line}` });
    }
    if (ts.isFunctionLike(node) && linesOf(node, source) > WHOLE_FUNCTION_LINES_MAX) {
      found.push({ rule: "long whole", at: `${file.path} ${nameOf(node)}` });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function rulesBrokenBy(node: ts.Node, source: ts.SourceFile): string[] {
  return [
    node.kind === ts.SyntaxKind.AnyKeyword ? "any" : "",
    ts.isNonNullExpression(node) ? "non-null" : "",
    (ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)) || ts.isTypeAssertionExpression(node)
      ? "cast"
      : "",
    ts.isCatchClause(node) && node.block.statements.length === 0 ? "swallowed" : "",
    ts.isCallExpression(node) && isSwallowingCatch(node, source) ? "swallowed" : "",
    ts.isFunctionLike(node) && ownLinesOf(node, source) > FUNCTION_LINES_MAX ? "long function" : "",
  ].filter((rule) => rule !== "");
}

/** `.catch(() => {})`, `.catch(() => undefined)` and their like, but on a promise that is awaited elsewhere. */
function isSwallowingCatch(call: ts.CallExpression, source: ts.SourceFile): boolean {
  const [handler] = call.arguments;
  if (!ts.isPropertyAccessExpression(call.expression) || call.expression.name.text !== "catch") {
    return false;
  }
  const promise = call.expression.expression;
  if (ts.isIdentifier(promise) && new RegExp(`\\bawait ${promise.text}\\b`).test(source.text)) {
    return false;
  }
  if (handler === undefined || !(ts.isArrowFunction(handler) || ts.isFunctionExpression(handler))) {
    return false;
  }
  const body = handler.body;
  return ts.isBlock(body) ? body.statements.length === 0 : ["undefined", "null", "void 0"].includes(body.getText());
}

/** A function's own name, or that of the constant it is given to. */
function nameOf(node: ts.SignatureDeclaration): string {
  const name = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined);
  return name?.getText() ?? "a function without a name";
}

function ownLinesOf(node: ts.Node, source: ts.SourceFile): number {
  let lines = linesOf(node, source);
  const subtract = (inner: ts.Node): void => {
    if (ts.isFunctionLike(inner)) {
      lines -= linesOf(inner, source) - 1;
    } else {
      ts.forEachChild(inner, subtract);
    }
  };
  ts.forEachChild(node, subtract);
  return lines;
}

function linesOf(node: ts.Node, source: ts.SourceFile): number {
  const line = (position: number) => source.getLineAndCharacterOfPosition(position).line;
  return line(node.getEnd()) - line(node.getStart()) + 1;
}

const shipped = shippedFiles();
const findings = shipped.flatMap(inspect);
const at = (rule: string) => findings.filter((finding) => finding.rule === rule).map((finding) => finding.at);

test("there is shipped code to look at", () => {
  expect(shipped.length).toBeGreaterThan(20);
});

test("shipped code has no any, no non-null assertion and no cast outside the branding files", () => {
  expect([...at("any"), ...at("non-null")]).toEqual([]);
  expect(at("cast").filter((place) => !BRANDING_FILES.has(place.replace(/:\d+$/, "")))).toEqual([]);
});

test("no error is swallowed", () => {
  expect(at("swallowed")).toEqual([]);
});

test(`no function of shipped code is longer than ${FUNCTION_LINES_MAX} lines`, () => {
  expect(at("long function")).toEqual([]);
});

test(`no function of shipped code, with those inside it, is longer than ${WHOLE_FUNCTION_LINES_MAX} lines`, () => {
  expect(at("long whole")).toEqual([]);
});

test(`no file that somebody wrote is longer than ${FILE_LINES_MAX} lines`, () => {
  const files = codeFiles();
  expect(files.length).toBeGreaterThan(50);
  const written = files.filter((file) => !GENERATED.test(file.path));
  const long = written.filter((file) => file.text.split("\n").length - 1 > FILE_LINES_MAX);
  expect(long.map((file) => file.path)).toEqual([]);
});

test("the inspection finds each planted mistake and leaves right code alone", () => {
  const mistakes = [
    ["any", "const a: any = 1;"],
    ["non-null", "const a = b!.c;"],
    ["cast", "const a = b as string;"],
    ["cast", "const a = <string>b;"],
    ["swallowed", "try { f(); } catch { /* never mind */ }"],
    ["swallowed", "f().catch(() => {});"],
    ["swallowed", "f().catch(() => undefined);"],
    ["long function", `function f() {${"\n".repeat(FUNCTION_LINES_MAX)}}`],
  ] as const;
  for (const [rule, text] of mistakes) {
    expect(inspect({ path: "planted.ts", text }).map((finding) => finding.rule)).toEqual([rule]);
  }
  const nested = `function f() {\n  return () => {${"\n".repeat(FUNCTION_LINES_MAX - 2)}};\n}`;
  expect(inspect({ path: "planted.ts", text: nested })).toEqual([]);
  const outer = `function f() {${"\n".repeat(WHOLE_FUNCTION_LINES_MAX - FUNCTION_LINES_MAX + 2)}`;
  const whole = `${outer}  return () => {${"\n".repeat(FUNCTION_LINES_MAX - 2)}};\n}`;
  expect(inspect({ path: "planted.ts", text: whole })).toEqual([{ rule: "long whole", at: "planted.ts f" }]);
  const right =
    'const a = ["x"] as const;\ntry { f(); } catch (error) { report(error); }\nf().catch(report);\np.catch(() => undefined);\nawait p;\n';
  expect(inspect({ path: "planted.ts", text: right })).toEqual([]);
});

/** Written in pieces, so that this file does not hold what it searches for. */
const FORBIDDEN_TEXTS = [
  ["an open end", new RegExp(`\\b(${["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"].join("|")})\\b`)],
  ["a test that is left out", new RegExp(`\\.${"(skip|only|todo)"}\\(`)],
  [
    "a package registry's host",
    new RegExp(["npm" + "js\\.(org|com)", "repo1?\\." + "maven", "maven\\." + "org"].join("|")),
  ],
  ["a path of one machine", new RegExp(["/wo" + "rk/", "/ho" + "me/\\w", "/Us" + "ers/\\w", "/tmp/" + "hw"].join("|"))],
] as const;

test.each(FORBIDDEN_TEXTS)("no file holds %s", (_what, pattern) => {
  const files = textFiles();
  expect(files.length).toBeGreaterThan(60);
  expect(files.filter((file) => pattern.test(file.text)).map((file) => file.path)).toEqual([]);
});
