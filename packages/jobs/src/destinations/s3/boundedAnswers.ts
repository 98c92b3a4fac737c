import { pipeline, Readable, Transform } from "node:stream";
import type { S3Client } from "@aws-sdk/client-s3";
import { ANSWER_BYTES_MAX, storageRefused } from "../storageFailure.ts";

/** Has a client refuse answers of more than 1 MiB, but for the bytes of files: it reads the others whole. */
export function boundAnswers({ middlewareStack }: S3Client): void {
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
