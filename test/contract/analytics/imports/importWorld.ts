import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Account, isFinalJob } from "@headwater/contracts";
import { createFileStore } from "@headwater/jobs/files/fileStore";
import { createOutbound, createSealer, type Outbound, type Sealer } from "@headwater/kernel";
import { freshFolder, workOff } from "../../jobs/workOff.ts";
import { basic, type Called, type Running, startService } from "../../service/running.ts";

/** A service, and a worker without a log: products and dry runs need none. */
export interface ImportWorld {
  readonly service: Running;
  readonly account: Account;
  readonly key: string;
  readonly outbound: Outbound;
  readonly sealer: Sealer;
  /** The address that the service listens on, and the folder of its files. */
  readonly address: string;
  readonly folder: string;
  /** @returns the `url` of the upload. */
  upload(bytes: string | Uint8Array, name?: string): Promise<string>;
  post(path: string, body: object, by?: string): Promise<Called>;
  /** Uploads, starts an import of it and works it off. @returns the job at its end. */
  run(path: string, bytes: string | Uint8Array, body?: object): Promise<ReturnType<typeof JSON.parse>>;
  /** Starts an import and works it off. */
  runFrom(path: string, body: object): Promise<ReturnType<typeof JSON.parse>>;
  work(jobId: string): Promise<ReturnType<typeof JSON.parse>>;
  rejections(jobId: string): Promise<ReturnType<typeof JSON.parse>[]>;
  drop(): Promise<void>;
}

const STEPS_MAX = 200;

export async function startImportWorld(settings: object = {}): Promise<ImportWorld> {
  const folder = freshFolder();
  const outbound = createOutbound({ allow: ["127.0.0.0/8"] });
  const sealer = createSealer([Buffer.alloc(32, 7)]);
  const service = await startService({ files: createFileStore({ folder }), outbound, sealer, canMail: true });
  const { account } = await service.account(settings);
  const key = await service.key(account, { scopes: ["read", "write", "admin"] });
  const address = await service.listen();
  const post: ImportWorld["post"] = (path, body, by = key) => service.call(by, `/v2/${path}`, { method: "POST", body });
  const upload: ImportWorld["upload"] = async (bytes, name) => {
    const query = name === undefined ? "" : `?name=${encodeURIComponent(name)}`;
    const headers = { authorization: basic(key) };
    const body = typeof bytes === "string" ? bytes : Uint8Array.from(bytes);
    const answer = await fetch(`${address}/v2/uploads${query}`, { method: "POST", headers, body });
    const { url } = Object(await answer.json());
    if (answer.status !== 201) throw new Error(`the upload was answered ${answer.status}`);
    return url;
  };
  const work: ImportWorld["work"] = async (jobId) => {
    for (let steps = 0; ; steps += 1) {
      await workOff(service, jobId, folder, { outbound, sealer });
      const { body } = await service.call(key, `/v2/jobs/${jobId}`);
      if (isFinalJob(body.status) || steps >= STEPS_MAX) return body;
      await sleep(50);
    }
  };
  const runFrom: ImportWorld["runFrom"] = async (path, body) => {
    const started = await post(path, body);
    if (started.status !== 202) throw new Error(started.text);
    return work(started.body.jobId);
  };
  return {
    service,
    account,
    key,
    outbound,
    sealer,
    address,
    folder,
    upload,
    post,
    work,
    runFrom,
    run: async (path, bytes, body = {}) =>
      runFrom(path, { source: { transport: "file", path: await upload(bytes) }, hasHeader: true, ...body }),
    rejections: async (jobId) => (await service.call(key, `/v2/jobs/${jobId}/rejections?per_page=100`)).body.data,
    async drop() {
      await service.stop();
      await outbound.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
