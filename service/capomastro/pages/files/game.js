// The interface between pad.js and games/<game>.js: what each game adds to the shared score pad. Types only.

/** @typedef {import("./dom.js").Content} Content */
/** @typedef {import("./service.js").Finding} Finding */
/** @typedef {import("./service.js").Line} Line */
/** @typedef {{type: string, [member: string]: any}} Entry */
/** @typedef {{text: string, go: () => void}} Act a button */
/** @typedef {{draft: any, cursor: any, say?: string}} EntryResult what is typed in, where the next entry goes, and a message about anything else that happened */

/**
 * What a pad is drawn from.
 * @typedef {object} Context
 * @property {string} game
 * @property {string[]} names for sentences, isolated where need be
 * @property {string[]} plainNames the names as data
 * @property {any} draft
 * @property {any} cursor
 * @property {(entry: Entry) => void} enter
 * @property {(say: string, act?: Act) => void} tell says why something cannot be tapped, and what can be done about it
 * @property {(field: string) => void} [change] goes to where a field is typed in
 * @property {(field: string) => (() => void) | undefined} [remove] what removes all of a field, where that can be done
 * @property {() => void} finish goes to the result, or to what is missing there
 * @property {Line[][]} lines of each player, as last scored
 * @property {(number | undefined)[]} totals of each player, as last scored
 * @property {boolean} stale whether these are of an earlier state of the table
 * @property {(field: string) => Finding[]} findingsAt a field
 * @property {(rule: string) => string | undefined} wording of a rule, once it is known
 */

/**
 * @typedef {object} GamePad
 * @property {boolean} common whether all players share one table, so that the row of players is a scoreboard and not tabs
 * @property {boolean} [hasPlayerRow] whether the picture itself shows the players and their points
 * @property {{key: string, players?: number[]}[]} options that are chosen before the entries begin
 * @property {(players: number, options: {[key: string]: boolean}) => {draft: any, cursor: any}} begin
 * @property {(draft: any, cursor: any, entry: Entry, names: string[]) => EntryResult} enter a pure function
 * @property {(draft: any, names: (string | undefined)[]) => any} sheet the scoresheet
 * @property {(sheet: any) => {draft: any, cursor: any}} draftOf a scoresheet from a link
 * @property {(draft: any, order: (number | null)[]) => any} reseated the draft after players have come or gone; `order`: their old seats, null for new players
 * @property {(draft: any, seat: number) => boolean} hasEntries whether anything is typed in for that player
 * @property {(seat: number) => string} firstFieldOf a player: where their entries begin
 * @property {(draft: any) => string[]} missingFields the fields that a result still needs, in order
 * @property {(draft: any) => boolean} [isWhole] whether nothing can be left to type in, where fields do not tell
 * @property {(field: string) => Entry | undefined} [removal] the entry that removes all of a field
 * @property {(pointer: string, draft: any) => string} fieldOf the field that a pointer into the scoresheet means
 * @property {(field: string, draft: any, cursor: any) => any} goTo the cursor at that field
 * @property {(field: string, names: string[], draft: any) => string} nameOf a field
 * @property {(field: string) => number | undefined} seatOf whose field it is
 * @property {(context: Context) => Content} picture
 * @property {(context: Context) => Content} pad
 * @property {(context: Context) => Content} hint
 * @property {(key: string, draft: any, cursor: any) => Entry | undefined} key what a key of the keyboard enters
 * @property {(line: Line) => {group: string, reason: string}} inWords a line in words
 * @property {(seat: number) => string} tieField the field with what breaks a tie for a player
 * @property {(context: Context, seat: number) => Content} tieForm asks for that; null if everything is known
 * @property {(draft: any, seat: number) => boolean} tieKnown whether what breaks a tie is known of a player
 * @property {(values: string, draft: any) => string} tieReason how the tie was broken, as a sentence
 * @property {(draft: any, seat: number) => Content} [onPaper] what a player has built, drawn on their printed bill
 * @property {(draft: any) => string[]} notes what was not checked or is assumed
 * @property {string} englishTitle by which other programs find the game
 */
export {};
