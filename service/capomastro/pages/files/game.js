// What every score pad knows of its game: the seam between the shared parts and games/<game>.js. Types only.

/** @typedef {import("./dom.js").Given} Given */
/** @typedef {import("./service.js").Finding} Finding */
/** @typedef {import("./service.js").Line} Line */
/** @typedef {{type: string, [member: string]: any}} Entry */
/** @typedef {{draft: any, cursor: any, say?: string}} After what is typed in, where the next entry goes, and what to say of a step that came by itself */

/**
 * What a view is made of.
 * @typedef {object} Context
 * @property {string} game
 * @property {string[]} names as they stand in sentences
 * @property {string[]} written the names as data
 * @property {any} draft
 * @property {any} cursor
 * @property {(entry: Entry) => void} enter
 * @property {(say: string) => void} tell says why something cannot be tapped
 * @property {() => void} finish goes to the result, or to what is missing there
 * @property {Line[][]} lines of each player, as last scored
 * @property {(number | undefined)[]} totals
 * @property {boolean} stale whether they are of an earlier table
 * @property {(field: string) => Finding[]} found at a field
 * @property {(rule: string) => string | undefined} wording of a rule, once it is known
 */

/**
 * @typedef {object} GamePad
 * @property {boolean} common whether all have one table, so that the row of players is a scoreboard
 * @property {boolean} [ownRow] whether the picture has the row of players in it
 * @property {{key: string, players?: number[]}[]} options that are asked for before
 * @property {(players: number, options: {[key: string]: boolean}) => {draft: any, cursor: any}} begin
 * @property {(draft: any, cursor: any, entry: Entry, names: string[]) => After} enter a pure function
 * @property {(draft: any, names: string[]) => any} sheet the scoresheet
 * @property {(sheet: any) => {draft: any, cursor: any}} opened a draft of somebody's scoresheet
 * @property {(draft: any, order: (number | null)[]) => any} reseated the draft when players come or go: their old seats
 * @property {(draft: any, seat: number) => boolean} isTyped whether anything of that player is typed in
 * @property {(seat: number) => string} beginningOf the field where the first thing of a player is typed in
 * @property {(draft: any) => string[]} untyped the fields that a finished table needs, in their order
 * @property {(pointer: string, draft: any) => string} fieldOf the field that a pointer into the scoresheet means
 * @property {(field: string, draft: any, cursor: any) => any} goTo the cursor at that field
 * @property {(field: string, names: string[], draft: any) => string} nameOf a field
 * @property {(field: string) => number | undefined} seatOf whose field it is
 * @property {(context: Context) => Given} picture
 * @property {(context: Context) => Given} pad
 * @property {(context: Context) => Given} hint
 * @property {(key: string, draft: any, cursor: any) => Entry | undefined} key what a key of the keyboard enters
 * @property {(line: Line) => {group: string, reason: string}} inWords a line in words
 * @property {(seat: number) => string} tieField the field of what a tie needs to know of a player
 * @property {(context: Context, seat: number) => Given} tieAsk its form; null if a tie needs nothing that is not known
 * @property {(values: string, draft: any) => string} tieWhy a tie that is decided, as a sentence
 * @property {(draft: any) => string[]} notes what was not checked or is assumed
 * @property {string} english title
 */
export {};
