import { z } from "zod";

/** Kinds of storage outside that exports write to and imports read from, spelt as bodies spell them. */
export const storageTypes = ["s3", "sftp", "azureblob"] as const;
export type StorageType = (typeof storageTypes)[number];

const PATH_CHARACTERS_MAX = 1_024;
const SECRET_CHARACTERS_MAX = 16_384;
const CONTAINER_CHARACTERS_MIN = 3;
const CONTAINER_CHARACTERS_MAX = 63;

const CONTROL = /\p{Cc}/u;

const line = (charactersMax: number) =>
  z
    .string()
    .min(1)
    .max(charactersMax)
    .refine((text) => !CONTROL.test(text), {
      message: "The value has control characters.",
      params: { code: "bad_value" },
    });
const path = line(PATH_CHARACTERS_MAX);
const secret = z.string().min(1).max(SECRET_CHARACTERS_MAX);
const httpUrl = line(2_048).refine((text) => isHttpUrl(text), {
  message: "The value is not an http or https URL without credentials, query and fragment.",
  params: { code: "bad_value" },
});

/** Members of each kind; which of them are needed depends on what a saved entry has. */
export const storageShapes = {
  s3: z.strictObject({
    type: z.literal("s3"),
    aws_bucket: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$/, "The value is not a bucket name."),
    aws_path: path.optional(),
    aws_region: z
      .string()
      .regex(/^[a-z0-9-]{1,64}$/, "The value is not a region.")
      .optional(),
    aws_endpoint: httpUrl.optional(),
    aws_access_key_id: line(256),
    aws_secret_access_key: secret,
  }),
  sftp: z.strictObject({
    type: z.literal("sftp"),
    server: line(255).refine((text) => /^[^\s/@]+$/.test(text), {
      message: "The value is not a host.",
      params: { code: "bad_value" },
    }),
    port: z.number().int().min(1).max(65_535).optional(),
    username: line(256),
    password: secret.optional(),
    privateKey: secret.optional(),
    path,
    hostKey: line(SECRET_CHARACTERS_MAX).optional(),
  }),
  azureblob: z.strictObject({
    type: z.literal("azureblob"),
    account: z.string().regex(/^[a-z0-9][a-z0-9-]{2,62}$/, "The value is not the name of a storage account."),
    container: z
      .string()
      .min(CONTAINER_CHARACTERS_MIN)
      .max(CONTAINER_CHARACTERS_MAX)
      .regex(/^(\$root|\$logs|\$web|[a-z0-9](?:-?[a-z0-9])*)$/, "The value is not a container name."),
    path: path.optional(),
    sasToken: secret.optional(),
    accountKey: secret.optional(),
    endpoint: httpUrl.optional(),
  }),
} as const;

export type S3Storage = z.output<typeof storageShapes.s3>;
export type SftpStorage = z.output<typeof storageShapes.sftp>;
export type AzureStorage = z.output<typeof storageShapes.azureblob>;
/** All that is needed to reach a storage, its secrets in plain text: in memory only. */
export type Storage = S3Storage | SftpStorage | AzureStorage;

/** Members that are kept encrypted and never shown. */
export const storageSecrets = {
  s3: ["aws_secret_access_key"],
  sftp: ["password", "privateKey"],
  azureblob: ["sasToken", "accountKey"],
} as const satisfies { readonly [Type in StorageType]: readonly string[] };

/** The member that says where in the storage files are. */
export const storagePathMembers = { s3: "aws_path", sftp: "path", azureblob: "path" } as const;

/** Members that a request may give next to a saved entry that has them, too: they say what, not to whom the secret is shown. */
export const storageLocationMembers = {
  s3: ["aws_bucket", "aws_path"],
  sftp: ["path"],
  azureblob: ["container", "path"],
} as const satisfies { readonly [Type in StorageType]: readonly string[] };

export function isStorageType(text: unknown): text is StorageType {
  return storageTypes.some((type) => type === text);
}

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  // A token that was pasted behind the address would be shown and logged with it.
  return url.username === "" && url.password === "" && !/[?#]/.test(text);
}
