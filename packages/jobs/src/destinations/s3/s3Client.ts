import { pipeline, Readable, Transform } from "node:stream";
import { S3Client, S3ServiceException } from "@aws-sdk/client-s3";
import type { S3Storage } from "@headwater/contracts";
import type { HeadwaterError } from "@headwater/kernel";
import type { HttpAgents } from "../sandbox/hostAgents.ts";
import {
  ANSWER_BYTES_MAX,
  answerFailure,
  connectionFailure,
  type Refusal,
  storageAway,
  storageRefused,
} from "../storageFailure.ts";

const CONNECT_TIMEOUT_MS = 5_000;
/** Silence on a connection, not the time of a whole request. */
const SILENCE_TIMEOUT_MS = 60_000;
const ATTEMPTS_MAX = 3;
const REGION_DEFAULT = "us-east-1";

/** Members that say which bucket is reached and as whom. */
export type S3Access = Omit<S3Storage, "type" | "aws_path">;

/** Creates a client that takes nothing from the environment of its process: neither credentials nor endpoints. */
export function createS3Client(storage: S3Access, { httpAgent, httpsAgent }: HttpAgents): S3Client {
  const { aws_endpoint: endpoint, aws_region: region = REGION_DEFAULT } = storage;
  const client = new S3Client({
    region,
    // Stores next to AWS seldom have a host name per bucket.
    ...(endpoint === undefined ? { followRegionRedirects: true } : { endpoint, forcePathStyle: true }),
    credentials: { accessKeyId: storage.aws_access_key_id, secretAccessKey: storage.aws_secret_access_key },
    requestHandler: {
      httpAgent,
      httpsAgent,
      connectionTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SILENCE_TIMEOUT_MS,
    },
    maxAttempts: ATTEMPTS_MAX,
    retryMode: "standard",
    ignoreConfiguredEndpointUrls: true,
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
  });
  boundAnswers(client);
  return client;
}

/** Code of an upload that was given up, or finished by a request whose answer was lost. */
export const UPLOAD_GONE = "NoSuchUpload";

const refusalsByCode: Readonly<Record<string, Refusal>> = {
  NoSuchBucket: "notThere",
  NoSuchKey: "notThere",
  NotFound: "notThere",
  InvalidAccessKeyId: "signIn",
  SignatureDoesNotMatch: "signIn",
  InvalidToken: "signIn",
  AuthorizationHeaderMalformed: "signIn",
  AccessDenied: "forbidden",
  AllAccessDisabled: "forbidden",
};

/** Runs a call and throws what is wrong in our words. */
export async function onS3<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    throw s3Failure(error);
  }
}

function s3Failure(error: unknown): HeadwaterError {
  if (!(error instanceof S3ServiceException)) return connectionFailure(error);
  const { name, $metadata } = error;
  const refusal = refusalsByCode[name];
  if (refusal !== undefined) return storageRefused(refusal, name);
  // The file is not wrong for that: it is written again.
  if (name === UPLOAD_GONE) return storageAway(name);
  const { httpStatusCode } = $metadata;
  if (httpStatusCode === undefined) return connectionFailure(error);
  return httpStatusCode === 403 ? storageRefused("signIn", name) : answerFailure(httpStatusCode, name);
}

/** Has a client refuse answers of more than 1 MiB, but for the bytes of files: it reads the others whole. */
function boundAnswers({ middlewareStack }: S3Client): void {
  middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const answered = await next(args);
        const { response } = answered;
        if (isAnswer(response) && !(commandName === "GetObjectCommand" && response.statusCode < 300))
          response.body = bounded(response.body);
        return answered;
      },
    { step: "deserialize", priority: "low", name: "boundAnswers" },
  );
}

function isAnswer(response: unknown): response is { body: Readable; readonly statusCode: number } {
  return typeof response === "object" && response !== null && Reflect.get(response, "body") instanceof Readable;
}

function bounded(body: Readable): Readable {
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > ANSWER_BYTES_MAX) done(storageRefused("longAnswer"));
      else done(null, chunk);
    },
  });
  // Its reader hears of an error.
  return pipeline(body, counted, () => undefined);
}
