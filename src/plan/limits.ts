/** Bounds that main and workers share. Bytes unless said otherwise. */

/** Rows of a record batch on the wire. */
export const BATCH_ROWS = 65_536

/** Bytes of a record batch on the wire; a single row larger than this makes a batch of its own. */
export const BATCH_BYTES = 16 << 20

/** Rows of a unit. */
export const UNIT_ROWS = 1_000_000

/** Rows of the first unit of an unfiltered answer: its first bytes are sent after 30 ms, after a whole unit in 120. */
export const FIRST_UNIT_ROWS = BATCH_ROWS

/** Estimated decoded bytes of a unit. */
export const UNIT_BYTES = 64 << 20

/** Chunks of a grid that a unit reads: each may be an object of its own, to be opened. */
export const UNIT_CHUNKS = 1024

/** Decoded ahead of the byte being sent, per query. */
export const READ_AHEAD_BYTES = 16 << 20

/** A scan answer is returned once it holds so much, and the unit resumed when its query has credit. */
export const ANSWER_BYTES = 4 << 20

/** JSON request bodies (docs/reference/http.md). */
export const BODY_BYTES = 2 << 20

/** Objects, files and folders that an answer is remembered by: to look at so many again takes some 10 ms. A number. */
export const ANSWER_OBJECTS = 4096

/** Records from which the types of a CSV file are inferred, unless more are asked for (docs/reference/csv.md). */
export const INFER_RECORDS = 128_000
