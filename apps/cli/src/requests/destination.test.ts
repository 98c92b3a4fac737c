import { expect, test } from "vitest";
import { destinationOf, withoutCredentials } from "./destination.ts";

const aws = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret", AWS_REGION: "eu-west-1" };
const keys = { aws_access_key_id: "id", aws_secret_access_key: "secret", aws_region: "eu-west-1" };

test.each([
  ["s3://exports/{yyyy}/{mm}", aws, { type: "s3", aws_bucket: "exports", aws_path: "{yyyy}/{mm}", ...keys }],
  [
    "s3://exports",
    { ...aws, AWS_ENDPOINT_URL: "https://s.example" },
    { type: "s3", aws_bucket: "exports", ...keys, aws_endpoint: "https://s.example" },
  ],
  [
    "sftp://ann@files.example:2222/in/a%20b",
    { SFTP_PASSWORD: "p" },
    { type: "sftp", server: "files.example", port: 2222, username: "ann", path: "/in/a b", password: "p" },
  ],
  [
    "sftp://ann@files.example",
    { SFTP_PRIVATE_KEY: "k", SFTP_HOST_KEY: "h" },
    { type: "sftp", server: "files.example", username: "ann", path: "/", privateKey: "k", hostKey: "h" },
  ],
  [
    "azblob://acme/exports/a/b",
    { AZURE_STORAGE_KEY: "k" },
    { type: "azureblob", account: "acme", container: "exports", path: "a/b", accountKey: "k" },
  ],
  [
    "azblob://acme/exports",
    { AZURE_STORAGE_SAS_TOKEN: "s" },
    { type: "azureblob", account: "acme", container: "exports", sasToken: "s" },
  ],
])("%s is read with its credentials from the environment", (destination, env, expected) => {
  expect(destinationOf({ destination }, env)).toEqual(expected);
});

test("a saved entry stands for the credentials", () => {
  expect(destinationOf({ destination: "s3://exports/a", savedKey: "lake" }, {})).toEqual({
    ...{ type: "s3", aws_bucket: "exports", aws_path: "a", savedKey: "lake" },
  });
});

test.each([
  [{ destination: "s3://exports" }, /AWS_ACCESS_KEY_ID/],
  [{ destination: "exports/a" }, /s3:\/\/bucket/],
  [{ destination: "ftp://host/a", savedKey: "x" }, /not ftp:/],
  [{ destination: "sftp://ann:secret@host/a" }, /takes no password/],
  [{ destination: "sftp://host/a", savedKey: "x" }, /a user/],
  [{ destination: "azblob://acme", savedKey: "x" }, /a container/],
  [{ savedKey: "x" }, /needs --destination/],
])("%j is refused", (input, message) => {
  expect(() => destinationOf(input, {})).toThrow(
    expect.objectContaining({ publicMessage: expect.stringMatching(message) }),
  );
});

test("what is shown of a destination has no secret", () => {
  const view = withoutCredentials(destinationOf({ destination: "s3://exports" }, aws) ?? {});
  expect(view).toMatchObject({ aws_access_key_id: "id", aws_secret_access_key: "…" });
});
