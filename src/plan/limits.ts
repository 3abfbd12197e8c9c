// Limits that the main thread and the workers share.

/** The most rows of a record batch in an answer. */
export const BATCH_ROWS = 65_536

/** The most bytes of a record batch in an answer. A single larger row is a batch of its own. */
export const BATCH_BYTES = 16 << 20

/** The most rows of a unit. */
export const UNIT_ROWS = 1_000_000

/** The most rows of the first unit of an unfiltered answer. Its first bytes are sent after 30 ms, with a whole unit after 120. */
export const FIRST_UNIT_ROWS = BATCH_ROWS

/** The most bytes of a unit, decoded, as estimated. */
export const UNIT_BYTES = 64 << 20

/** The most chunks of a grid in a unit. Each may be an object that has to be opened. */
export const UNIT_CHUNKS = 1024

/** The most bytes of a query that are decoded and not sent yet. */
export const READ_AHEAD_BYTES = 16 << 20

/** A worker returns an answer when it has so many bytes, and resumes the unit when the query has credit again. */
export const ANSWER_BYTES = 4 << 20

/** The most bytes of a request's body (docs/reference/http.md). */
export const BODY_BYTES = 2 << 20

/** The most objects of folders that a kept answer may be made from. To check so many takes some 25 ms. */
export const MAX_ANSWER_OBJECTS = 10_000

/** The most paths of the fingerprint of an answer, and the most versions: such objects, the documents of their folders, files and folders. */
export const MAX_FINGERPRINT = 16_384

/** Records from which the types of a CSV file are inferred, unless a request asks for more (docs/reference/csv.md). */
export const INFER_RECORDS = 128_000

/** A file of at most so many bytes is small: it is read in one go. From the page cache that takes some 30 µs, as ten reads of a few bytes do. */
export const SMALL_FILE_BYTES = 256 << 10

/** The most bytes of an inflated file that each worker inflates where it reads it. More are inflated once, into a temporary file. */
export const MOST_PLAIN_IN_MEMORY = 1 << 20
