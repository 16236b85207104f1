// The marks of players, the same as in the pictures of the service (drawing/marks.py; a test compares them): paths in a
// square of 24 by 24.

/** By seat: circle, square, triangle, diamond, hexagon. */
export const OUTLINES = [
  "M12 1.5C17.8 1.5 22.5 6.2 22.5 12S17.8 22.5 12 22.5 1.5 17.8 1.5 12 6.2 1.5 12 1.5Z",
  "M2.5 2.5H21.5V21.5H2.5Z",
  "M12 0.5L24 21.5H0Z",
  "M12 -0.5L24.5 12L12 24.5L-0.5 12Z",
  "M6 1.6H18L24 12L18 22.4H6L0 12Z",
];

/** By seat: arrow, hourglass, tree, fork, diamond. */
export const MASONS_MARKS = [
  "M12 17.5V6.5M8 10.5L12 6.5L16 10.5M8.5 14.5H15.5",
  "M7.5 6.5H16.5L7.5 17.5H16.5L7.5 6.5",
  "M12 8.5L8.2 14.5H15.8L12 8.5M12 14.5V18.5",
  "M12 18V12.5M7.5 7.5L12 12.5L16.5 7.5",
  "M12 6.5L16.7 12L12 17.5L7.3 12L12 6.5",
];

/** By seat, how far down the middle of a number stands that takes the mason's mark's place. */
export const MIDDLES = [12.6, 12, 14.5, 12, 12];

/** The outline of who is no player: a cross. */
export const DUMMY = "M6 1H18V6H23V18H18V23H6V18H1V6H6Z";
