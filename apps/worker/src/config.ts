import { LOG_LEVELS } from "@headwater/kernel";
import { z } from "zod";

const port = z.coerce.number().int().min(0).max(65_535);

/** The worker's environment. */
export const workerConfig = z.object({
  HEADWATER_OPERATIONS_HOST: z.string().default("127.0.0.1"),
  HEADWATER_OPERATIONS_PORT: port.default(8428),
  POSTGRES_URL: z.string().min(1),
  CLICKHOUSE_URL: z.url(),
  /** A folder that worker and service share. */
  HEADWATER_FILES_FOLDER: z.string().min(1).default(".headwater/files"),
  LOG_LEVEL: z.enum(LOG_LEVELS).default("info"),
  /** Jobs that this process runs at a time. */
  HEADWATER_JOBS_CONCURRENTLY: z.coerce.number().int().min(1).max(32).default(4),
});
