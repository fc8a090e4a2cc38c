/** Where an outcome leads: a node's index, `END`, or `SPLIT - i` for the split number i. */
export const END = -1;
export const SPLIT = -2;
