import { z } from "zod";
import { pageOf } from "../../paging/answerSchema.ts";
import { bound, listQuery, storableText } from "../../paging/query.ts";
import { contactAnswerShape, contactExample } from "../contactShape.ts";

const ATTRIBUTE = /^attributes\[(.+)\]$/s;
const FILTERS_MAX = 20;

const attributeValue = z.object({ key: storableText(1_024).min(1), value: storableText(8_192) });
const known = z.object({
  ...listQuery,
  sort_by: z.literal("createdAt").optional(),
  email: storableText(1_024).min(1).optional(),
  cID: storableText(64).optional(),
  list: storableText(512).min(1).optional(),
  "audience-key": storableText(512).min(1).optional(),
  "lastModified[gt]": bound,
  "lastModified[gte]": bound,
  "lastModified[lt]": bound,
  "lastModified[lte]": bound,
});

/** Any number of `attributes[key]=value` beside the parameters that have a name. */
export const query = z
  .looseObject(known.shape)
  .superRefine((given, context) => {
    const others = Object.keys(given).filter((name) => !Object.hasOwn(known.shape, name));
    const keys = others.filter((name) => !ATTRIBUTE.test(name));
    if (keys.length > 0) context.addIssue({ code: "unrecognized_keys", keys, input: given });
    if (others.length > FILTERS_MAX) {
      context.addIssue({ code: "custom", message: `filters by more than ${FILTERS_MAX} attributes`, input: given });
    }
    for (const name of others) {
      const read = attributeValue.safeParse(filterOf(name, given[name]));
      if (!read.success)
        context.addIssue({ code: "custom", message: "must be a single string", path: [name], input: given[name] });
    }
  })
  .transform((given) => {
    const filters = Object.entries(given).flatMap(
      ([name, value]) => attributeValue.safeParse(filterOf(name, value)).data ?? [],
    );
    return { ...known.parse(given), attributes: filters };
  });

function filterOf(name: string, value: unknown): { readonly key: string | undefined; readonly value: unknown } {
  return { key: ATTRIBUTE.exec(name)?.[1], value };
}

export type ContactsQuery = z.output<typeof query>;

/** Returns whether the answer is a search, for which Postgres has no index. */
export function servedByClickHouse(given: ContactsQuery): boolean {
  const modified = Object.entries(given).some(
    ([name, value]) => name.startsWith("lastModified[") && value !== undefined,
  );
  const { list, "audience-key": audience, return_count: counted } = given;
  return modified || given.attributes.length > 0 || list !== undefined || audience !== undefined || counted === "true";
}

export const cursorKey = z.number().int();
export const CONTACT_MEMBERS = Object.keys(contactAnswerShape.shape);
export const contactsAnswer = pageOf(contactAnswerShape.partial());
export const contactsExample = {
  data: [contactExample],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};
