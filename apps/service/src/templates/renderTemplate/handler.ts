import type { Account } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import { readTemplateContent } from "@headwater/messaging";
import { readTemplate } from "@headwater/stores/templates";
import { expectBothNames, experimentsOf, type NamedVariant, namedContent } from "../../batchMessages/experiments.ts";
import { testsShape } from "../../batchMessages/messageMembers.ts";
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
 * Renders a template, or a variant of it, for a contact. Throws 404 for an unknown template or contact, 400 for an unknown variant, 422
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
  const experiments = experimentsOf(testsShape.parse(tests));
  const { name, classification } = readTemplateSettings(template);
  const about = { key, name, id: mdtId, channel, classification };
  const content = namedContent({ base, variants }, named, experiments);
  const stored = { content, channel, classification, about, contact, account };
  const rendered = await renderStored(stored, ports);
  return { status: 200, body: { ...rendered, experiments } };
}
