import { safeParse } from "@headwater/kernel";
import type { TokenKind, TrackingTokens } from "@headwater/messaging";
import { z } from "zod";
import { isNamed, type NamedToken } from "../events/messageEvent.ts";

const params = z.object({ token: z.string() });

/** Shapes of a route whose path ends in a token. Whatever a mailbox or a site adds to the query is left alone. */
export const tokenRoute = { params, query: z.looseObject({}) } as const;

interface TokenCall {
  readonly call: { readonly params: unknown };
  readonly kinds: readonly TokenKind[];
}

/** Returns the token in the path of a call; undefined when it was cut or changed, or has another purpose. */
export function tokenIn(tokens: TrackingTokens, { call, kinds }: TokenCall): NamedToken | undefined {
  const parsed = safeParse(params, call.params);
  const token = parsed.success ? tokens.open(parsed.data.token, kinds) : undefined;
  return isNamed(token) ? token : undefined;
}
