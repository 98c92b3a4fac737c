import type { AfterPorts, WritePorts } from "@headwater/api/ports";
import type { Route } from "@headwater/http";
import type { PerformancePorts } from "../batchMessages/experimentNumbers.ts";
import type { RenderPorts } from "../messages/renderStored.ts";
import type { RoutePorts } from "../ports.ts";
import { createTemplate } from "./routes/createTemplate.ts";
import { deleteTemplate } from "./routes/deleteTemplate.ts";
import { getTemplate } from "./routes/getTemplate.ts";
import { getTemplateexperiment } from "./routes/getTemplateexperiment.ts";
import { listTemplateSends } from "./routes/listSends.ts";
import { listTemplates } from "./routes/listTemplates.ts";
import { publishTemplate } from "./routes/publishTemplate.ts";
import { renderTemplate } from "./routes/renderTemplate.ts";
import { sendTemplate, sendTemplateDraft } from "./routes/sendTemplate.ts";
import { updateTemplate } from "./routes/updateTemplate.ts";

export function templateRoutes(
  ports: AfterPorts &
    PerformancePorts &
    RenderPorts &
    WritePorts &
    Pick<RoutePorts, "alertsOf" | "clickHouse" | "cursors">,
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
