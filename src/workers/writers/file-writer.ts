import type { WrittenPlan } from '../../plan/output/file-plan.ts'
import type { Part } from '../../plan/task/part.ts'
import type { Field } from '../../plan/types/schema.ts'
import type { ReadContext } from '../formats/provider.ts'

/**
 * Opens a file that one worker writes. The promise is for a library that has to be loaded first. Throws `disk_full` and
 * `output_failed`, as all calls of the writer do.
 */
export type OpenWriter<P extends WrittenPlan> = (
  plan: P,
  fields: readonly Field[],
  files: WriterFiles,
  context: ReadContext,
) => FileWriter | Promise<FileWriter>

/** Descriptors of the writer's own, open for reading and writing, which are closed after it. */
export interface WriterFiles {
  /** Of the file, which is empty. */
  readonly descriptor: number
  /** Of a file for what the writer sets aside. Null: the plan needs none. */
  readonly spool: number | null
}

/** A file while it is written. */
export interface FileWriter {
  /** The bytes of the file so far. */
  readonly bytes: number
  /** The bytes of what is set aside in the second file. */
  readonly setAside: number
  write(parts: readonly Part[], context: ReadContext): void
  /** Goes on to complete the file, for about 100 ms. Returns whether it is complete. */
  finish(context: ReadContext): boolean
  /** Gives up everything. It may be called at any stage, and once only. Never throws. */
  close(): void
}
