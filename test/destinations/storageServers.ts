import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { ContainerClient, StorageSharedKeyCredential } from "@azure/storage-blob";
import type { Storage } from "@headwater/contracts";
import { startAzureServer, startS3Server, startSftpServer } from "../../infra/src/index.ts";

/** A real server with a bucket, container or folder for exports, and another client than ours to read it with. */
export interface StorageWorld {
  /** Reaches it; its path is `exports`. */
  readonly storage: Storage;
  readonly port: number;
  /** The same through another port of the loopback. */
  through(port: number): Storage;
  /** The same with a secret that is not the right one. */
  readonly wrongSecret: Storage;
  /** The same with a bucket, container or folder that is not there. */
  readonly notThere: Storage;
  /** Finished files of `exports`, by name; all, or those whose names have a text in them. */
  files(part?: string): Promise<Map<string, Buffer>>;
  /** Puts a file there. @returns the storage with the file's path. */
  put(name: string, bytes: Uint8Array): Promise<Storage>;
  /** Uploads and temporary files that were begun and not finished. */
  unfinished(): Promise<number>;
  /** Ends its server at once; what it has stored stays. */
  kill(): Promise<void>;
  /** Starts the server again after a kill. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export const worlds = { s3: startS3World, sftp: startSftpWorld, azureblob: startAzureWorld };

async function startS3World(): Promise<StorageWorld> {
  const server = await startS3Server();
  const endpointOf = (port: number) => `http://127.0.0.1:${port}`;
  const { accessKeyId, secretAccessKey } = server;
  const endpoint = endpointOf(server.port);
  const client = new S3Client({ region: "us-east-1", endpoint, forcePathStyle: true, credentials: server });
  const Bucket = "lake";
  await client.send(new CreateBucketCommand({ Bucket }));
  const storage = {
    type: "s3",
    aws_bucket: Bucket,
    aws_path: "exports",
    aws_endpoint: endpoint,
    aws_access_key_id: accessKeyId,
    aws_secret_access_key: secretAccessKey,
  } as const;
  return {
    storage,
    port: server.port,
    through: (port) => ({ ...storage, aws_endpoint: endpointOf(port) }),
    wrongSecret: { ...storage, aws_secret_access_key: "another secret" },
    notThere: { ...storage, aws_bucket: "nowhere" },
    async files(part = "") {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: "exports/" }));
      const wanted = Contents.filter(({ Key = "" }) => Key.includes(part));
      const found = wanted.map(async ({ Key = "" }): Promise<[string, Buffer]> => {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
        return [Key.slice("exports/".length), Buffer.from((await Body?.transformToByteArray()) ?? [])];
      });
      return new Map(await Promise.all(found));
    },
    async put(name, bytes) {
      const Key = `exports/${name}`;
      await client.send(new PutObjectCommand({ Bucket, Key, Body: bytes }));
      return { ...storage, aws_path: Key };
    },
    async unfinished() {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
      return Uploads.length;
    },
    kill: () => server.kill(),
    start: () => server.start(),
    stop: () => server.stop(),
  };
}

async function startSftpWorld(): Promise<StorageWorld> {
  const server = await startSftpServer();
  const path = join(server.folder, "exports");
  mkdirSync(path);
  const names = () => readdirSync(path);
  const storage = { type: "sftp", server: "127.0.0.1", username: "producer", password: "producer", path } as const;
  return {
    storage: { ...storage, port: server.port },
    port: server.port,
    through: (port) => ({ ...storage, port }),
    wrongSecret: { ...storage, port: server.port, password: "another secret" },
    notThere: { ...storage, port: server.port, path: join(server.folder, "nowhere") },
    async files(part = "") {
      const finished = names().filter((name) => !name.endsWith(".part") && name.includes(part));
      return new Map(finished.map((name) => [name, readFileSync(join(path, name))]));
    },
    async put(name, bytes) {
      writeFileSync(join(path, name), bytes);
      return { ...storage, port: server.port, path: join(path, name) };
    },
    unfinished: async () => names().filter((name) => name.endsWith(".part")).length,
    kill: () => server.kill(),
    start: () => server.start(),
    stop: () => server.stop(),
  };
}

async function startAzureWorld(): Promise<StorageWorld> {
  const server = await startAzureServer();
  const { account, accountKey, endpoint } = server;
  const key = new StorageSharedKeyCredential(account, accountKey);
  const container = new ContainerClient(`${endpoint}/lake`, key);
  await container.create();
  const storage = { type: "azureblob", account, container: "lake", path: "exports", accountKey, endpoint } as const;
  const listed = async (includeUncommitedBlobs: boolean) => {
    const names: string[] = [];
    for await (const { name } of container.listBlobsFlat({ prefix: "exports/", includeUncommitedBlobs }))
      names.push(name);
    return names;
  };
  return {
    storage,
    port: server.port,
    through: (port) => ({ ...storage, endpoint: `http://127.0.0.1:${port}` }),
    wrongSecret: { ...storage, accountKey: Buffer.from("another secret").toString("base64") },
    notThere: { ...storage, container: "nowhere" },
    async files(part = "") {
      const wanted = (await listed(false)).filter((name) => name.includes(part));
      const found = wanted.map(
        async (name): Promise<[string, Buffer]> => [
          name.slice("exports/".length),
          await container.getBlobClient(name).downloadToBuffer(),
        ],
      );
      return new Map(await Promise.all(found));
    },
    async put(name, bytes) {
      await container.getBlockBlobClient(`exports/${name}`).uploadData(bytes);
      return { ...storage, path: `exports/${name}` };
    },
    unfinished: async () => (await listed(true)).length - (await listed(false)).length,
    kill: () => server.kill(),
    start: () => server.start(),
    stop: () => server.stop(),
  };
}
