import { z } from "zod";
import { storageSecrets, storageShapes } from "./storage.ts";

const SEALED_CHARACTERS_MAX = 65_536;
const SAVED_KEYS_MAX = 50;
/** The last four characters would give a shorter secret away. */
const DISPLAYED_FROM_CHARACTERS = 8;
const DISPLAYED_CHARACTERS = 4;

/** A secret as it is stored: sealed with a key that is not in the database, with what may be shown of it. */
export const storedSecret = z.strictObject({
  sealed: z.string().max(SEALED_CHARACTERS_MAX),
  last4: z.string().max(DISPLAYED_CHARACTERS),
});
export type StoredSecret = z.output<typeof storedSecret>;

/** A secret as it may be shown. */
export const secretView = z.strictObject({ set: z.literal(true), last4: z.string() });
export type SecretView = z.output<typeof secretView>;

/** Name of a saved storage. */
export const savedKey = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "is not a key of letters, digits, - and _");

/** Members that an account may keep of a storage: any of them, for requests give the others. */
const storageMembers = {
  s3: storageShapes.s3.partial().extend({ type: z.literal("s3") }),
  sftp: storageShapes.sftp.partial().extend({ type: z.literal("sftp") }),
  azureblob: storageShapes.azureblob.partial().extend({ type: z.literal("azureblob") }),
};

function entriesWith<Secret extends z.ZodType>(secret: Secret) {
  const { s3, sftp, azureblob } = storageMembers;
  const entry = z.discriminatedUnion("type", [
    s3.extend({ aws_secret_access_key: secret.optional() }),
    sftp.extend({ password: secret.optional(), privateKey: secret.optional() }),
    azureblob.extend({ sasToken: secret.optional(), accountKey: secret.optional() }),
  ]);
  return z.record(savedKey, entry).refine((entries) => Object.keys(entries).length <= SAVED_KEYS_MAX, {
    message: `has over ${SAVED_KEYS_MAX} entries`,
  });
}

/** Storages of an account by their saved keys. */
export const storedStorages = entriesWith(storedSecret);
export type StoredStorages = z.output<typeof storedStorages>;
export const storagesView = entriesWith(secretView);

/** Names of members that hold secrets, of every kind of storage. */
export const secretMembers: ReadonlySet<string> = new Set(Object.values(storageSecrets).flat());

const SECRET_PATH = new RegExp(`^/(?:webhookSecret|storage/[^/]+/(?:${[...secretMembers].join("|")}))(?:/|$)`);

/** Returns whether a JSON pointer into an account's settings names a secret that is kept sealed, or a member of one. */
export function isSealedPath(pointer: string): boolean {
  return SECRET_PATH.test(pointer);
}

/** Context under which a secret of an account is sealed. */
export function storageSecretContext(accountId: string, key: string, member: string): string {
  return `${accountId}/storage/${key}/${member}`;
}
export function webhookSecretContext(accountId: string): string {
  return `${accountId}/webhookSecret`;
}

/** Context under which the address of a job's notice is sealed. */
export function noticeContext(accountId: string): string {
  return `${accountId}/notice`;
}

/** A block of PEM at the end of a text, with its Base64. */
const PEM_AT_END = /-----([^-]*)-----END [^-]*-----$/;

/** Returns what may be shown of a secret: its last four characters, and of PEM those of its Base64, without padding. */
export function last4Of(secret: string): string {
  const trimmed = secret.trim();
  const text = PEM_AT_END.exec(trimmed)?.[1]?.replace(/[\s=]/g, "") ?? trimmed;
  return text.length < DISPLAYED_FROM_CHARACTERS ? "" : text.slice(-DISPLAYED_CHARACTERS);
}

export function showSecret({ last4 }: StoredSecret): SecretView {
  return { set: true, last4 };
}

/** Returns saved storages as people may see them. */
export function showStorages(storages: StoredStorages): Record<string, Record<string, unknown>> {
  const entriesView = Object.entries(storages).map(([key, entry]) => {
    const members = Object.entries(entry).map(([name, value]): [string, unknown] => {
      const secret = secretMembers.has(name) ? storedSecret.safeParse(value) : undefined;
      return [name, secret?.success === true ? showSecret(secret.data) : value];
    });
    return [key, Object.fromEntries(members)] as const;
  });
  return Object.fromEntries(entriesView);
}
