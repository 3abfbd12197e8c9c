/**
 * The numbered steps of a statement that changes the catalog. A process that ends before `committed` has changed nothing, and one
 * that ends later has changed everything.
 */
export const STATEMENT_STEPS = Object.freeze({
  /** Main has made the tables of the definitions, and nothing is written. */
  prepared: 1,
  /** The writer thread has begun the transaction. */
  begun: 2,
  /** All rows are changed, within the transaction. */
  written: 3,
  /** The transaction is on the disk. */
  committed: 4,
  /** Main knows that, and has put the new snapshot in place. The statement is answered next. */
  shown: 5,
})

/**
 * The numbered steps in which the database of an earlier version becomes that of the metrics. A process that ends at any of them
 * has lost nothing, and the next start goes on.
 */
export const MOVE_STEPS = Object.freeze({
  /** Nobody else uses the file. */
  locked: 1,
  /** All of the log is in the file, and nothing but the file is left. */
  merged: 2,
  /** The file has its new name. */
  renamed: 3,
  /** The folder with the new name is on the disk. */
  synced: 4,
  /** There is a new file for the catalog, without a schema. */
  created: 5,
})

/** Is told each step when it is done. It is for tests, which end the process there. */
export type AtStep = (step: number) => void

export const NOTHING_AT_STEPS: AtStep = () => undefined
