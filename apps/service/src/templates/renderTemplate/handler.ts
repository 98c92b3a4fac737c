import { type Account, readExperimentState } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import { readTemplateContent } from "@headwater/messaging";
import { readTemplate, readTemplateExperiment } from "@headwater/stores/templates";
import { chosenContent, expectBothNames, type NamedVariant } from "../../batchMessages/experiments.ts";
import { testsShape } from "../../batchMessages/messageMembers.ts";
import { readShown } from "../../contacts/getContact/handler.ts";
import { type RenderPorts, renderStored } from "../../messages/renderStored.ts";
import { readTemplateSettings, unknownTemplate } from "../templateView.ts";

export interface RenderCall extends NamedVariant {
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
export async function renderOne(
  { key, contact, which, account, ...named }: RenderCall,
  ports: RenderPorts,
): Promise<Answer> {
  expectBothNames(named);
  const template = await readTemplate(ports.postgres, account.number, key);
  if (template === undefined) throw unknownTemplate();
  const { published, draft, channel, mdtId } = template;
  const text = which === "draft" ? (draft ?? published) : published;
  if (text === null) throw refusal("TEMPLATE_NOT_PUBLISHED", "The template was never published.");
  const { tests, variants, ...base } = readTemplateContent(text);
  const shown = await readShown(contact, account, ports);
  const stored = which === "draft" ? undefined : await readTemplateExperiment(ports.postgres, template);
  const learnt = readExperimentState(stored?.learnt ?? null);
  const contents = { base, variants, tests: testsShape.parse(tests) };
  const { content, experiments } = chosenContent(contents, named, { message: mdtId, contact: shown.number, learnt });
  const { name, classification } = readTemplateSettings(template);
  const about = { key, name, id: mdtId, channel, classification };
  const toRender = { content, channel, classification, about, contact: shown, account };
  const rendered = await renderStored(toRender, ports);
  return { status: 200, body: { ...rendered, experiments } };
}
