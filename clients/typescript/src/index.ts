// A typed client of capomastro, the referee of four building games.
export { createCapomastro, type Capomastro, type Settings } from "./client.js";
export { CapomastroError, Problem, UnexpectedAnswerError, UnreachableError, type ProblemKindId } from "./problems.js";
export { never, patient, type Retries } from "./retries.js";
export { viewOf, type Position, type Seen } from "./positions.js";
export { extendsTable, type SealedTable } from "./sealed-tables.js";
export type { ReplayOptions } from "./many-records.js";
export type * from "./generated/positions.js";
export type { AnyRecord, Options } from "./generated/questions.js";
// A type for every document: PalazzoState, PalazzoMoveBuy, Refusal …
export type * from "./generated/specification.js";
