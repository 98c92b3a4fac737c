import { safeParse } from "@headwater/kernel";
import { z } from "zod";
import type { AccountSettings } from "./settings.ts";
import { type Storage, storageSecrets, storageShapes, storageTypes } from "./storage.ts";
import { savedKey, secretMembers, storageSecretContext, storedSecret } from "./storedSecrets.ts";

const saved = { savedKey: savedKey.optional() };

/** Members that a request may give of a storage outside: all, or some of them next to a saved entry. */
export const requestedStorage = z.discriminatedUnion("type", [
  storageShapes.s3.partial().extend({ type: z.literal("s3"), ...saved }),
  storageShapes.sftp.partial().extend({ type: z.literal("sftp"), ...saved }),
  storageShapes.azureblob.partial().extend({ type: z.literal("azureblob"), ...saved }),
]);
export type RequestedStorage = z.output<typeof requestedStorage>;

/** The same as the input of a job keeps it: without secrets. */
export const jobStorage = z.looseObject({ type: z.enum(storageTypes), savedKey: savedKey.optional() });
export type JobStorage = z.output<typeof jobStorage>;

/** Secrets that a request gave, by member. */
export const inputSecrets = z.record(z.string(), z.string());
export type SecretsInput = z.output<typeof inputSecrets>;

/** Parts a request into what its job keeps and shows, and the secrets, which are sealed. */
export function partSecrets(requested: RequestedStorage): {
  readonly storage: JobStorage;
  readonly secrets: SecretsInput;
} {
  const members = Object.entries(requested);
  const isSecret = ([name]: readonly [string, unknown]) => secretMembers.has(name);
  return {
    storage: jobStorage.parse(Object.fromEntries(members.filter((member) => !isSecret(member)))),
    secrets: inputSecrets.parse(Object.fromEntries(members.filter(isSecret))),
  };
}

export interface SavedStorages {
  readonly accountId: string;
  readonly settings: Pick<AccountSettings, "storage">;
  /** Opens a sealed secret; see `Sealer`. */
  readonly open: (sealed: string, context: string) => string;
}

/**
 * Puts together all that is needed to reach a storage: the saved entry, what the request said, and its secrets.
 * A failed result names what is missing.
 */
export function completeStorage(
  { storage, secrets }: { readonly storage: JobStorage; readonly secrets: SecretsInput },
  { accountId, settings, open }: SavedStorages,
): z.ZodSafeParseResult<Storage> {
  const { savedKey: key, ...input } = storage;
  const entry = key === undefined ? {} : settings.storage[key];
  const members = Object.entries(entry ?? {}).map(([name, value]): [string, unknown] => {
    const secret = storedSecret.safeParse(value);
    const context = storageSecretContext(accountId, key ?? "", name);
    return [name, secret.success ? open(secret.data.sealed, context) : value];
  });
  return safeParse(completeShape, { ...Object.fromEntries(members), ...input, ...secrets });
}

const completeShape = z
  .discriminatedUnion("type", [storageShapes.s3, storageShapes.sftp, storageShapes.azureblob])
  .superRefine((storage, context) => {
    const names = storageSecrets[storage.type];
    const provided = new Map(Object.entries(storage));
    if (names.some((name) => provided.has(name))) return;
    const message = `One of ${names.map((name) => `\`${name}\``).join(" and ")}, or \`savedKey\`, is required.`;
    context.addIssue({ code: "custom", path: [names[0]], message, params: { code: "required" } });
  });

/** Context under which the secrets that a request gave are sealed. */
export function jobSecretsContext(accountId: string): string {
  return `${accountId}/job`;
}
