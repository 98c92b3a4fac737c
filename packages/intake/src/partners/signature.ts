import { timingSafeEqual } from "node:crypto";
import type { AccountSettings } from "@headwater/contracts";

/** A request as it is signed. */
export interface Signed {
  /** The signature's header, undefined when it is absent. */
  readonly header: string | undefined;
  /** The body's bytes as they were received. */
  readonly bytes: Uint8Array;
  /** Two of them, always: of an account with one, twice the same; of an unknown account, two that nobody knows. */
  readonly secrets: readonly [string, string];
  readonly settings: AccountSettings;
  readonly nowMs: number;
}

export interface Signature {
  /** The header's name in lower case. */
  readonly header: string;
  /** Content of the header, for the documentation. */
  readonly headerSummary: string;
  /** The account's secrets: none, one, or two during a rotation. */
  secretsOf(settings: AccountSettings): readonly string[];
  /** The same amount of work for right and wrong signatures. */
  isRight(signed: Signed): boolean;
  /** The header's value for a body: what a sender does, for tests and examples. */
  sign(bytes: Uint8Array, secret: string, nowMs: number): string;
}

/** Both are digests of one length; another length cannot be right. */
export function isSameDigest(input: Uint8Array, wanted: Uint8Array): boolean {
  return input.length === wanted.length && timingSafeEqual(input, wanted);
}
