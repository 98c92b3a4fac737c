import type { Route } from "@headwater/http";
import type { PerformancePorts } from "../batchMessages/experimentNumbers.ts";
import type { RenderPorts } from "../messages/renderStored.ts";
import type { AfterPorts, ServicePorts, WritePorts } from "../ports.ts";
import { createTemplate } from "./createTemplate/index.ts";
import { deleteTemplate } from "./deleteTemplate/index.ts";
import { getTemplate } from "./getTemplate/index.ts";
import { getTemplateexperiment } from "./getTemplateexperiment/index.ts";
import { listTemplateSends } from "./listSends/index.ts";
import { listTemplates } from "./listTemplates/index.ts";
import { publishTemplate } from "./publishTemplate/index.ts";
import { renderTemplate } from "./renderTemplate/index.ts";
import { sendTemplate, sendTemplateDraft } from "./sendTemplate/index.ts";
import { updateTemplate } from "./updateTemplate/index.ts";

export function templateRoutes(
  ports: AfterPorts & PerformancePorts & RenderPorts & WritePorts & Pick<ServicePorts, "clickHouse" | "cursors">,
): Route[] {
  return [
    listTemplates(ports),
    createTemplate(ports),
    getTemplate(ports),
    getTemplateexperiment(ports),
    updateTemplate(ports),
    deleteTemplate(ports),
    publishTemplate(ports),
    renderTemplate("draft", ports),
    renderTemplate("published", ports),
    sendTemplate(ports),
    listTemplateSends(ports),
    sendTemplateDraft(ports),
  ];
}
