export {
  countPrograms,
  deleteProgram,
  insertProgram,
  lockProgram,
  type ProgramMembers,
  pagePrograms,
  readProgram,
  type StoredProgram,
  updateProgram,
} from "./programs.ts";
