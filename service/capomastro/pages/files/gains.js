// The points that events score, by seat.

/** @param {import("./replay/course.js").Event_} event */
export function isScored(event) {
  return event.points !== undefined && event.seat !== undefined && event.seat !== null;
}

/**
 * What each seat gained or lost by a move.
 * @param {import("./replay/course.js").MoveWithTexts} played
 * @returns {{seat: number, points: number}[]}
 */
export function gainsOf(played) {
  /** @type {Map<number, number>} */
  const gains = new Map();
  for (const event of played.events.filter(isScored)) gains.set(Number(event.seat), (gains.get(Number(event.seat)) ?? 0) + Number(event.points));
  return [...gains].filter(([, points]) => points).map(([seat, points]) => ({ seat, points }));
}
