import type { Sliced } from "@headwater/kernel";
import type { z } from "zod";
import { defineEndpoint, type MapContext, type PartnerEndpoint } from "../endpoint.ts";
import { type Part, type Push, refusedPart } from "../push.ts";
import { contactOf, type NamedContact, type Person, pipelineAuth, pipelineStatuses } from "./person.ts";

export type PipelineContact = Extract<NamedContact, { kind: "contact" }>["contact"];

/** Parts of a body, or what is wrong with it beyond its shape. */
type Mapped = readonly Part[] | { readonly wrong: NonNullable<Push["wrong"]> };

interface PipelineDefinition<Body extends Person> {
  readonly name: string;
  readonly summary: string;
  readonly body: z.ZodType<Body>;
  readonly sample: object;
  /** Maps the body onto its parts, once it is known whose it is. */
  parts(body: Body, contact: PipelineContact, context: MapContext): Mapped | Sliced<Mapped>;
}

/** An endpoint of the pipeline: one body is about one contact. A body that names nobody is recorded with its reason. */
export function definePipelineEndpoint<Body extends Person>(
  definition: PipelineDefinition<Body>,
): PartnerEndpoint<Body> {
  const { name, parts, ...rest } = definition;
  return defineEndpoint({
    ...rest,
    partner: "pipeline",
    isOneItem: true,
    name,
    path: `/api/pipeline/${name}`,
    auth: pipelineAuth,
    statuses: pipelineStatuses,
    *map(body, context) {
      const named = contactOf(body, context);
      if (named.kind === "missing") return { parts: [], wrong: [nobodyNamed] };
      if (named.kind === "nobody") return { parts: [refusedPart("", body, named.reason.message, named.reason.code)] };
      const created = parts(body, named.contact, context);
      const mapped = "next" in created ? yield* created : created;
      return "wrong" in mapped ? { parts: [], wrong: mapped.wrong } : { parts: [...mapped, ...named.refused] };
    },
  });
}

const nobodyNamed = {
  path: "/pipelineId",
  code: "required",
  message: "`pipelineId` with `pipelineIdKey`, `anonymousId` or `userIdentities` is required.",
};
