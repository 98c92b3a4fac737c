import { waitForAfter } from "@headwater/api/consistency/after";
import { afterQuery, storableText } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import { type Account, readExperimentState } from "@headwater/contracts";
import { type Answer, defineRoute, type Route, refusal } from "@headwater/http";
import { readView } from "@headwater/records/contacts/routes/getContact";
import { z } from "zod";
import { chosenContent, expectBothNames, type NamedVariant } from "../../batchMessages/experiments.ts";
import { testsShape } from "../../batchMessages/messageMembers.ts";
import { readTemplateContent } from "../../frozen/templateContent.ts";
import { type RenderPorts, renderStored } from "../../messages/renderStored.ts";
import { renderWarningCodes } from "../../render/warnings.ts";
import { readTemplateExperiment } from "../templateExperiments.ts";
import { readTemplate } from "../templates.ts";
import { readTemplateSettings, unknownTemplate } from "../templateView.ts";

const params = z.strictObject({ key: storableText(1_024), contactID: storableText(1_024) });
export const query = z.strictObject({
  ...afterQuery,
  experiment: storableText(128).optional().describe("Name of the experiment whose `variant` is rendered."),
  variant: storableText(128).optional().describe("Given together with `experiment`."),
});
export type RenderQuery = z.output<typeof query>;

const experiment = z.strictObject({
  name: z.string(),
  strategy: z.string(),
  variants: z.array(z.string()),
  variant: z
    .string()
    .nullable()
    .describe(
      "The variant that is rendered: the named one, else the one that the contact gets; null for the message's own content.",
    ),
});

const texts = z.record(z.string(), z.string());

export const renderedShape = z.strictObject({
  headers: texts,
  content: texts.describe("By media type."),
  experiments: z.array(experiment).describe("The enabled one."),
  warnings: z.array(
    z.strictObject({
      code: z.enum(renderWarningCodes),
      message: z.string(),
      count: z.number().int(),
    }),
  ),
  segments: z.number().int().optional().describe("Short messages that the text of an sms takes."),
});

export const renderedExample = {
  headers: { subject: "Welcome, Ada", fromEmail: "news@example.com", fromDesc: "Example shop" },
  content: {
    "text/html": "<p>Good to have you here.</p>",
    "text/plain": "Good to have you here.",
  },
  experiments: [{ name: "subject", strategy: "split", variants: ["short", "long"], variant: "long" }],
  warnings: [{ code: "no_unsubscribe_link", message: "The message has no unsubscribe link.", count: 1 }],
};

interface RenderCall extends NamedVariant {
  readonly key: string;
  /** Any form of a contact's primary key. */
  readonly contact: string;
  readonly which: "draft" | "published";
  readonly account: Account;
}

/**
 * Renders a template for a contact, in the variant that is named or that the contact gets. Throws 404 for an unknown template or contact, 400 for an unknown variant, 422
 * `TEMPLATE_NOT_PUBLISHED`, and `VALIDATION_ERROR` with `render_failed`.
 */
async function renderOne({ key, contact, which, account, ...named }: RenderCall, ports: RenderPorts): Promise<Answer> {
  expectBothNames(named);
  const template = await readTemplate(ports.postgres, account.number, key);
  if (template === undefined) throw unknownTemplate();
  const { published, draft, channel, mdtId } = template;
  const text = which === "draft" ? (draft ?? published) : published;
  if (text === null) throw refusal("TEMPLATE_NOT_PUBLISHED", "The template was never published.");
  const { tests, variants, ...base } = readTemplateContent(text);
  const view = await readView(contact, account, ports);
  const stored = which === "draft" ? undefined : await readTemplateExperiment(ports.postgres, template);
  const learnt = readExperimentState(stored?.learnt ?? null);
  const contents = { base, variants, tests: testsShape.parse(tests) };
  const { content, experiments } = chosenContent(contents, named, { message: mdtId, contact: view.number, learnt });
  const { name, classification } = readTemplateSettings(template);
  const about = { key, name, id: mdtId, channel, classification };
  const toRender = { content, channel, classification, about, contact: view, account };
  const rendered = await renderStored(toRender, ports);
  return { status: 200, body: { ...rendered, experiments } };
}

const routes = {
  draft: {
    path: "/v2/automationtemplates/{key}/renderdraft/{contactID}",
    operationId: "renderTemplatedraft",
    summary: "Renders the draft of a template for a contact, without one the published content.",
  },
  published: {
    path: "/v2/automationtemplates/{key}/renderpublished/{contactID}",
    operationId: "renderTemplate",
    summary: "Renders the published content of a template for a contact.",
  },
} as const;

/** @param which the content that is rendered. */
export function renderTemplate(which: keyof typeof routes, ports: AfterPorts & RenderPorts): Route {
  return defineRoute({
    method: "GET",
    ...routes[which],
    description:
      "The key needs `contacts:read` as well: the answer shows values of the contact. A content that cannot be rendered for the contact is a 422 VALIDATION_ERROR with the detail `render_failed`. `links` of a preview lead to no contact.",
    tags: ["automationtemplates"],
    answers: {
      200: { description: "The message.", schema: renderedShape, example: renderedExample },
      404: { description: "RECORD_NOT_FOUND or CONTACTS_CONTACT_NOT_FOUND" },
      422: { description: "TEMPLATE_NOT_PUBLISHED or VALIDATION_ERROR" },
    },
    auth: "basic",
    scope: "automationtemplates:read",
    alsoScope: "contacts:read",
    rateClass: "read",
    params,
    query,
    handler: async ({ params: { key, contactID }, query: { after, ...named }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      return renderOne({ key, contact: contactID, which, account: caller.account, ...named }, ports);
    },
  });
}
