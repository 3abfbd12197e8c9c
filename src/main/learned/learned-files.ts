import type { FileFormat } from '../../plan/format/file-format.ts'
import type { LaidOutArrays } from '../../plan/source/array-layout.ts'
import type { FileRef } from '../../plan/source/file.ts'
import type { Grid } from '../../plan/source/grid.ts'
import type { Segment } from '../../plan/source/segments.ts'
import type { WholeOfFile } from '../../plan/source/whole.ts'
import type { Schema } from '../../plan/types/schema.ts'
import { type CrawledDigests, NO_CRAWLED_DIGESTS } from './crawled-digests.ts'
import { type FileRegistry, NO_FILE_REGISTRY } from './file-registry.ts'

/** What is known of a file without opening it. It follows from the version of the file and the options of the format. */
export interface LearnedFile {
  readonly schema: Schema
  /** The grid of all columns, without statistics. Null: not known. */
  readonly grid: Grid | null
  /** As in `FileSummary`. */
  readonly arrays?: LaidOutArrays
  /** The only segment of a file that is a list of segments. Absent: not known, or the file has several. */
  readonly segment?: Segment
  readonly whole: WholeOfFile
}

/** What is learned of files, by their places and versions. Whatever is lost of it costs time, and no rows. */
export interface LearnedFiles {
  /**
   * What is stored of these versions of files, in their order, some at a time; fewer: nothing is stored of the others. Null: nothing, or it
   * cannot be read. Never rejects. A query waits for it by `Ticket.waitFor`.
   */
  find(format: FileFormat, files: readonly FileRef[]): AsyncIterable<readonly (LearnedFile | null)[]>
  /** Stores what is known of a version of a file, in place of an earlier one. It is written later, with others. */
  put(format: FileFormat, file: FileRef, learned: LearnedFile): void
  /** Sends what is not written yet to be written, before anything that is asked for later. */
  flush(): Promise<void>
  /** The files of the dataset root of which statistics are wanted. */
  readonly registry: FileRegistry
  /** What the tables of crawlers were made of. */
  readonly crawled: CrawledDigests
  /** Opens what is stored, if anything is, before it is needed: that takes 0.2 s. */
  warmUp(): void
  /** Writes what is not written yet. */
  close(): Promise<void>
}

/** Nothing is stored. */
export const NO_LEARNED_FILES: LearnedFiles = Object.freeze({
  async *find() {},
  put() {},
  async flush() {},
  registry: NO_FILE_REGISTRY,
  crawled: NO_CRAWLED_DIGESTS,
  warmUp() {},
  async close() {},
})
