import { toTimestamp } from "@headwater/contracts";
import { z } from "zod";
import { readContext } from "../../eventContext.ts";
import { id, idText, present, textOf, timeOf } from "../../reading.ts";
import { definePipelineEndpoint } from "../define.ts";
import { person, personSample } from "../person.ts";

export const createContactactivity = definePipelineEndpoint({
  name: "createContactactivity",
  summary: "Records an activity of a contact.",
  body: z.looseObject({
    ...person,
    action: id,
    time: z.union([z.string(), z.number()]).optional(),
    properties: z.record(z.string(), z.unknown()).optional(),
    context: z.looseObject({}).optional(),
  }),
  sample: {
    ...personSample,
    action: "browse",
    time: "2026-01-09T22:47:12Z",
    properties: { category: "Shoes" },
    context: { ip: "203.0.113.7", userAgent: "Mozilla/5.0", device: { type: "mobile", model: "X1" } },
  },
  parts(body, contact, { settings, nowMs }) {
    const time = body.time === undefined ? toTimestamp(nowMs) : (timeOf(body.time) ?? textOf(body.time));
    const event = present({
      name: idText(body.action),
      time,
      properties: body.properties,
      ...readContext(body.context ?? {}),
    });
    const { canBeCreated } = settings.partners.pipeline;
    return [
      {
        kind: "item",
        path: "",
        inner: "/contactactivities/0",
        sentAs: { "/name": "/action" },
        operation: "createContactactivities",
        body: { contact: { ...contact, canBeCreated }, contactactivities: [event] },
      },
    ];
  },
});
