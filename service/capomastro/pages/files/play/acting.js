// Who acts: the one state that decides what the bar says, what the tray shows and which actions there are.

import { t } from "../words.js";
import { isServicePlayer } from "./table.js";

/** @typedef {import("./table.js").Step} Step */
/**
 * What is known about the course of a game.
 * @typedef {object} Course
 * @property {import("./table.js").Decision} decision that is shown
 * @property {import("./table.js").Kind[]} players who plays at each seat
 * @property {string[]} names
 * @property {import("./table.js").Viewer} viewer who looks at the screen
 * @property {boolean} isOver
 * @property {boolean} isWaiting whether the table waits for anything but a move at this screen
 * @property {boolean} isSlow whether what was asked of the service takes long
 * @property {boolean} isAsked whether anything is asked of it
 * @property {readonly Step[]} steps that are shown one by one, before what is asked
 * @property {number | undefined} at the index of the one that is shown
 */
/** @typedef {"own" | "hand-over" | "elsewhere" | "thinking" | "steps" | "over"} Acting */

/**
 * Who acts. A seat of a computer never leads to a hand-over: that is only between people at one screen.
 * @param {Course} course
 * @returns {Acting}
 */
export function acting({ decision, players, viewer, isOver, isWaiting, isSlow, isAsked, steps, at }) {
  if (at !== undefined && at < steps.length) return "steps";
  if (isWaiting) return "elsewhere";
  if (isOver) return "over";
  if (isAsked && isSlow) return "thinking";
  if (decision.seat === undefined || isServicePlayer(players[decision.seat])) return "thinking";
  return viewer === decision.seat ? "own" : "hand-over";
}

/**
 * What the bar says, and whose mark stands before it.
 * @param {Course & {told: (step: Step) => string, won: string, task: string, kind?: string}} course `told`: a step in a sentence; `won`: how the game ended; `task`: what a table at a distance waits for; `kind`: the kind of move that is being chosen
 * @returns {{seat: number | undefined, before?: string, lead?: string, text: string}} `before`: the one step before what is asked; `lead` goes first where there is little room
 */
export function barOf(course) {
  const { decision, players, names, steps, at, told, won, task } = course;
  const state = acting(course);
  const computer = players.findIndex(isServicePlayer);
  if (state === "steps") return { seat: steps[Number(at)].seat ?? undefined, text: told(steps[Number(at)]) };
  if (state === "elsewhere") return { seat: undefined, text: task };
  if (state === "over") return { seat: undefined, text: won };
  const seat = decision.seat ?? computer;
  if (state === "thinking") {
    const thinks = isServicePlayer(players[seat]) ? seat : computer;
    return thinks < 0 ? { seat: decision.seat, text: t("checking") } : { seat: thinks, text: t("play.thinking", { name: names[thinks] }) };
  }
  if (state === "hand-over") return { seat, text: t("play.turn-of", { name: names[seat] }) };
  const isAlone = players.filter((kind) => kind === "person").length < 2;
  const asks = course.kind || t(`decision.${decision.kind}`);
  return { seat, before: steps.length === 1 ? told(steps[0]) : undefined, lead: isAlone ? t("play.your-turn") : t("play.named", { name: names[seat] }), text: asks };
}
