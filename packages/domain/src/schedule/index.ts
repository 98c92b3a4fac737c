export {
  CRON_CHARACTERS_MAX,
  type CronSchedule,
  latestTick,
  nextTick,
  problemOfSchedule,
  type ScheduleProblem,
} from "./cron.ts";
