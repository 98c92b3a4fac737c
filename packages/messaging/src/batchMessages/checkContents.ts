import { findEnabledTest } from "@headwater/contracts";
import type { ErrorDetail } from "@headwater/kernel";
import type { StoredContent } from "../frozen/storedContent.ts";
import { invalidTexts, keysOf } from "../messages/includeMistakes.ts";
import { type BATCH_HEADER, type Message, type ReadMessage, readMessage } from "../messages/messageBody.ts";
import { prepareParts } from "../messages/prepareParts.ts";
import type { RoutePorts } from "../ports.ts";
import type { PartInclude } from "../prepare/prepareContent.ts";
import type { MessageTest } from "./messageMembers.ts";
import type { StoredMessageContent } from "./storedMessage.ts";

export interface ContentsToCheck {
  readonly channel: string;
  readonly message: Message;
  readonly tests: readonly MessageTest[];
  /** Header that is needed besides those of the channel. */
  readonly alsoNeeded?: typeof BATCH_HEADER;
}

/** Contents that were checked, with the positions of their includes. */
export interface CheckedContents {
  readonly content: StoredMessageContent;
  readonly includes: readonly PartInclude[];
}

type Ports = Pick<RoutePorts, "postgres" | "renders">;

/** Checks a message and its variants and prepares them. @throws HeadwaterError 422 `VALIDATION_ERROR` with every mistake. */
export async function checkContents(
  account: number,
  { channel, message, tests, alsoNeeded }: ContentsToCheck,
  { postgres, renders }: Ports,
): Promise<CheckedContents> {
  const read = readMessage(channel, message, alsoNeeded);
  const base = await prepareOne(account, { at: "/message", read }, { renders });
  const variants = [];
  for (const { at, message: whole } of variantsOf(tests, read.message)) {
    const variant = { at, read: readMessage(channel, whole, alsoNeeded) };
    variants.push(withoutInherited(await prepareOne(account, variant, { renders }), base));
  }
  const all = [base, ...variants];
  const includes = all.flatMap(({ includes: positions }) => positions);
  const mistakes = all.flatMap(({ mistakes: found }) => found);
  if (mistakes.length > 0) throw await invalidTexts(postgres, { account, includes, mistakes });
  return { content: { base: base.content, variants: variants.map(({ content }) => content) }, includes };
}

/** Returns the messages of the enabled test's variants, each whole. */
function variantsOf(tests: readonly MessageTest[], base: Message) {
  const { place: position, test } = findEnabledTest(tests) ?? {};
  const variants = test?.variants ?? [];
  return variants.map(({ headers, content }, index) => ({
    at: `/tests/${position}/variants/${index}`,
    message: { ...base, headers: { ...base.headers, ...headers }, content: content ?? base.content },
  }));
}

interface PreparedOne {
  /** JSON pointer of what gives the message. */
  readonly at: string;
  readonly content: StoredContent;
  readonly includes: readonly PartInclude[];
  readonly mistakes: readonly ErrorDetail[];
}

async function prepareOne(
  account: number,
  { at, read: { message, parts, problems } }: { readonly at: string; readonly read: ReadMessage },
  ports: Pick<RoutePorts, "renders">,
): Promise<PreparedOne> {
  const there = <Located extends { readonly path: string }>(one: Located) => ({
    ...one,
    path: one.path.replace(/^\/message/, at),
  });
  const { html, includes, mistakes } = await prepareParts(account, parts.map(there), ports);
  const content: StoredContent = { message, ...(html !== undefined && { html }), includes: keysOf(includes) };
  return { at, content, includes, mistakes: [...problems.map(there), ...mistakes] };
}

/** Leaves out what stands in the message itself: a variant has its parts where it gives none. */
function withoutInherited(variant: PreparedOne, base: PreparedOne): PreparedOne {
  const textOf = ({ at }: PreparedOne, one: { readonly path: string }) =>
    JSON.stringify({ ...one, path: one.path.slice(at.length) });
  const known = new Set([...base.includes, ...base.mistakes].map((one) => textOf(base, one)));
  const isOwn = (one: { readonly path: string }) => !known.has(textOf(variant, one));
  return { ...variant, includes: variant.includes.filter(isOwn), mistakes: variant.mistakes.filter(isOwn) };
}

/** Lists all that is wrong with tests, their contents aside. */
export function mistakesOfTests(tests: readonly MessageTest[]): ErrorDetail[] {
  const enabled = [...tests.entries()].filter(([, { enabled }]) => enabled);
  const second = enabled.slice(1).map(([index]) => wrong(`${index}/enabled`, "not_allowed", "One test is enabled."));
  return [...second, ...enabled.flatMap(([index, test]) => mistakesOfTest(index, test))];
}

function mistakesOfTest(index: number, test: MessageTest): ErrorDetail[] {
  const { type, variants = [], metric, goal, testPercent, decideAfterMinutes } = test;
  const needs = (member: string, isMissing: boolean) =>
    isMissing ? [wrong(`${index}/${member}`, "required", `\`${member}\` is required.`)] : [];
  const isChampion = type === "split-with-champion";
  const names = variants.map(({ name }) => name);
  const twice = names.flatMap((name, place) => (names.indexOf(name) < place ? [place] : []));
  return [
    ...needs("variants", variants.length === 0),
    ...twice.map((place) => wrong(`${index}/variants/${place}/name`, "bad_value", "Another variant has this name.")),
    ...needs("metric", type !== "split" && metric === undefined),
    ...needs("goal", metric === "conversions" && goal === undefined),
    ...needs("testPercent", isChampion && testPercent === undefined),
    ...(isChampion && testPercent === 100 ? [nobodyLeft(index)] : []),
    ...needs("decideAfterMinutes", isChampion && decideAfterMinutes === undefined),
  ];
}

function nobodyLeft(index: number): ErrorDetail {
  return wrong(`${index}/testPercent`, "bad_value", "A champion needs contacts outside of the test: below 100.");
}

function wrong(place: string, code: string, message: string): ErrorDetail {
  return { path: `/tests/${place}`, code, message };
}
