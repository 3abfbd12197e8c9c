import type { Level } from './level.ts'

/** Decides during a search which folders `key=value` are searched. */
export interface PartitionFilter {
  /** Whether no further name can change how the names of a level are read. Otherwise all of them are wanted. */
  isSettled(level: Level): boolean
  /** The test of folders by the first levels of a search, of which all names are known that are wanted. */
  on(levels: readonly Level[]): PartitionTest
}

export interface PartitionTest {
  /** A key that is equal for tests that give equal results. Null: everything passes. */
  readonly key: string | null
  /** Whether files with these values, one of each level, may have rows that are wanted. */
  passes(values: readonly (string | null)[]): boolean
}
