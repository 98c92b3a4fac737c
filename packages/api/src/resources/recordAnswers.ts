import { type Answer, type Route, refusal } from "@headwater/http";
import { z } from "zod";
import { successShape } from "../answers/success.ts";
import { storableText } from "../paging/query.ts";
import type { AnswerMembers, Checking, Resource, ResourcePorts, SecretMembers } from "./resourceDefinition.ts";

const KEY_CHARACTERS_MAX = 1_024;
const NOT_STORED = { "Cache-Control": "no-store" };

export type Params = Readonly<Record<string, string>>;
export type Named = Pick<Resource<object, object, ResourcePorts>, "resource" | "noun" | "keyShape" | "unknownCode"> & {
  readonly table: { readonly key: string; readonly alias?: string | undefined };
};

/** Parts that the routes of one record share. */
export function oneOf<Method extends Route["method"]>({ resource, table: { key }, keyShape }: Named, method: Method) {
  const params: z.ZodType<Params> = z.strictObject({ [key]: keyShape ?? storableText(KEY_CHARACTERS_MAX) });
  return { method, path: `/v2/${resource}/{${key}}`, tags: [resource], params };
}

export function keyIn(params: Params, { key }: Named["table"]): string {
  const value = params[key];
  if (value === undefined) throw new Error(`the path has no ${key}`);
  return value;
}

export function unknownAnswer({ noun, table, unknownCode = "RECORD_NOT_FOUND" }: Named) {
  return { 404: { description: `${unknownCode}: no ${noun} has this ${namesOf(table).join(" or ")}.` } };
}

export function unknown({ noun, table, unknownCode = "RECORD_NOT_FOUND" }: Named) {
  return refusal(unknownCode, `No ${noun} has this ${namesOf(table).join(" or ")}.`);
}

/** Members that name a record. */
function namesOf({ key, alias }: Named["table"]): string[] {
  return alias === undefined ? [key] : [key, alias];
}

export function keyTaken({ noun, table: { key } }: Named, taken: string) {
  const message = `${/^[aeiou]/.test(noun) ? "An" : "A"} ${noun} with the ${key} ${JSON.stringify(taken)} already exists.`;
  return refusal("KEY_MUST_BE_UNIQUE", message, { details: [{ path: `/${key}`, code: "bad_value", message }] });
}

/** Body of a create's or an update's answer. */
export function writtenBody(table: Named["table"], row: object, more: object | undefined) {
  const names = namesOf(table).toReversed();
  return { success: true, ...Object.fromEntries(names.map((name) => [name, Reflect.get(row, name)])), ...more };
}

export function writtenAnswer(
  { shape, table, example }: Named & Pick<Resource<object, object, ResourcePorts>, "shape" | "example">,
  more: AnswerMembers = { members: {}, example: {} },
) {
  const names = namesOf(table).toReversed();
  const members = Object.fromEntries(names.map((name) => [name, shape.shape[name]]));
  const schema = successShape.extend({ ...members, ...more.members });
  return { schema, example: writtenBody(table, example, more.example) };
}

/** Adds secret members to the answer of a write or its repeat. @param name has the member of the answer that names the record as its key. */
export async function withSecret<Body, Ports>(
  answer: Answer,
  read: SecretMembers<Body, Ports> | undefined,
  body: Body,
  name: Checking<Ports>,
): Promise<Answer> {
  if (read === undefined || answer.status >= 300) return answer;
  const key = String(Reflect.get(Object(answer.body), name.key));
  const secret = await read.read(body, { ...name, key, etag: answer.headers?.ETag });
  if (Object.keys(secret).length === 0) return answer;
  return { ...answer, body: { ...Object(answer.body), ...secret }, headers: { ...answer.headers, ...NOT_STORED } };
}
