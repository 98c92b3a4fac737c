export {
  CRON_CHARACTERS_MAX,
  type CronSchedule,
  latestTick,
  nextTick,
  problemOfSchedule,
} from "./cron.ts";
