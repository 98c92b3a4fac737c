import { LOG_LEVELS, transportEnvironment } from "@headwater/kernel";
import { kafkaEnvironment } from "@headwater/topics";
import { z } from "zod";

const port = z.coerce.number().int().min(0).max(65_535);

/** The sender's environment. */
export const senderConfig = z.object({
  ...transportEnvironment,
  ...kafkaEnvironment,
  HEADWATER_OPERATIONS_HOST: z.string().default("127.0.0.1"),
  HEADWATER_OPERATIONS_PORT: port.default(8442),
  /** Has the intents of all sends before their first byte leaves, and is asked what it has seen of Postgres. */
  KAFKA_BROKERS: z.string().transform((text) => text.split(",").map((broker) => broker.trim())),
  POSTGRES_URL: z.string().min(1),
  /** Hex secret that suppressed addresses are hashed with. Not set: it is in Postgres. */
  HEADWATER_ERASURE_SECRET_FILE: z.string().optional(),
  /** Address that links of messages begin with. */
  HEADWATER_TRACKING_URL: z.url().default("http://127.0.0.1:8450"),
  /** Keys of the secrets of transports and of the tokens of links, 64 hex digits a line. */
  HEADWATER_SETTINGS_KEY_FILE: z.string().optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS).default("info"),
  /** A window whose sender was killed or sleeps is given up after this time. */
  HEADWATER_SEND_LEASE_SECONDS: z.coerce.number().int().min(2).max(3_600).default(60),
  /** Processes that render messages. One account has all but one of them. */
  HEADWATER_RENDER_PROCESSES: z.coerce.number().int().min(2).max(64).default(3),
});
