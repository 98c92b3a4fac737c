import { safeParse } from "@headwater/kernel";
import { z } from "zod";
import type { TokenKind } from "../../tracking/trackingToken.ts";
import type { TrackingTokens } from "../../tracking/trackingTokens.ts";
import { isNamed, type NamedToken } from "../events/messageEvent.ts";

const params = z.object({ token: z.string() });

/** Shapes of a route whose path ends in a token. Whatever a mailbox or a site adds to the query is left alone. */
export const tokenRoute = { params, query: z.looseObject({}) } as const;

interface TokenCall {
  readonly call: { readonly params: z.output<typeof params> };
  readonly kinds: readonly TokenKind[];
}

/** Returns the token in the path of a call; undefined when it was cut or changed, or has another purpose. */
export function tokenIn(tokens: TrackingTokens, { call, kinds }: TokenCall): NamedToken | undefined {
  const token = tokens.open(call.params.token, kinds);
  return isNamed(token) ? token : undefined;
}

interface RawTokenCall {
  readonly call: { readonly params: unknown };
  readonly kinds: readonly TokenKind[];
}

/** Returns the token in the path of a call whose parts were not checked before; undefined as above. */
export function tokenInRaw(tokens: TrackingTokens, { call, kinds }: RawTokenCall): NamedToken | undefined {
  const parsed = safeParse(params, call.params);
  return parsed.success ? tokenIn(tokens, { call: { params: parsed.data }, kinds }) : undefined;
}
