import { shapes } from "@headwater/contracts";
import { pointerStep } from "@headwater/kernel";
import { z } from "zod";
import type { MapContext, PartnerAuth, PartnerStatuses } from "../endpoint.ts";
import { type Identifiers, type NoContact, readIdentities, refusedIdentities, whyUnidentified } from "../identity.ts";
import type { Part } from "../push.ts";
import { idText, isMembers, maybeId, textOf } from "../reading.ts";

export const pipelineAuth: PartnerAuth = { kind: "apiKey" };
export const pipelineStatuses: PartnerStatuses = {
  accepted: 202,
  badShape: 422,
  badJson: 422,
  wrongType: "UNSUPPORTED_MEDIA_TYPE",
};

/** Members of every body: who it is about, and whether it may start an automation. */
export const person = {
  suppressTriggers: shapes.suppressTriggers,
  pipelineIdKey: z.string().optional(),
  pipelineId: maybeId,
  anonymousId: maybeId,
  userIdentities: z.record(z.string(), z.unknown()).optional(),
} as const;

export const personSample = {
  pipelineIdKey: "customer_id",
  pipelineId: "4711",
  anonymousId: "507f191e-810c-4197-9de8-60ea00000001",
  userIdentities: { email: "ann@example.com" },
};

/** A body's members that name its contact, whatever else it has. */
export interface Person {
  readonly [name: string]: unknown;
  readonly pipelineIdKey?: string | undefined;
  readonly pipelineId?: string | number | undefined;
  readonly anonymousId?: string | number | undefined;
  readonly userIdentities?: Readonly<Record<string, unknown>> | undefined;
}

export type NamedContact =
  | {
      readonly kind: "contact";
      readonly contact: { readonly identifiers: Identifiers; readonly identifiersPriority: string[] };
      /** Identities that name nobody, next to others that do. */
      readonly refused: readonly Part[];
    }
  /** Nothing that it says of its contact names anybody. */
  | { readonly kind: "nobody"; readonly reason: NoContact }
  /** It says nothing of its contact at all. */
  | { readonly kind: "missing" };

/** The contact of a push: the pipeline's id first, then the identities in the order they were given, then the anonymous id. */
export function contactOf(input: Person, { settings }: MapContext): NamedContact {
  const { aliases } = settings.partners.pipeline;
  const own = ownIdOf(input, aliases);
  const identities = readIdentities(settings, [
    ...(own === undefined ? [] : [[own.name, own.value, "/pipelineId"] as const]),
    ...Object.entries(input.userIdentities ?? {}).map(
      ([name, value]) => [name, value, `/userIdentities/${pointerStep(name)}`] as const,
    ),
    ...(input.anonymousId === undefined ? [] : [["anonymousId", idText(input.anonymousId), "/anonymousId"] as const]),
  ]);
  const said = [input.pipelineId, aliased(input, aliases.pipelineId), input.anonymousId, input.userIdentities];
  if (said.every((value) => value === undefined)) return { kind: "missing" };
  const reason = whyUnidentified(settings, identities);
  if (reason !== undefined) return { kind: "nobody", reason };
  const { identifiers } = identities;
  const contact = { identifiers, identifiersPriority: Object.keys(identifiers) };
  return { kind: "contact", contact, refused: refusedIdentities("", identities) };
}

/** The pipeline's id with the name it stands under here; the sender's own names of both, where the account asks for it. */
export function ownIdOf(
  provided: Person,
  aliases: { readonly pipelineIdKey?: string | undefined; readonly pipelineId?: string | undefined },
): { readonly name: string; readonly value: string } | undefined {
  const name = textOf(provided.pipelineIdKey) ?? textOf(aliased(provided, aliases.pipelineIdKey));
  const value = provided.pipelineId ?? textOf(aliased(provided, aliases.pipelineId));
  return name === undefined || value === undefined ? undefined : { name, value: idText(value) };
}

function aliased(received: Person, alias: string | undefined): unknown {
  return alias !== undefined && isMembers(received) && Object.hasOwn(received, alias) ? received[alias] : undefined;
}
