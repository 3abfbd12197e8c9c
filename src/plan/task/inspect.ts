import type { ErrorData } from '../errors.ts'
import type { FileFormat } from '../format/file-format.ts'
import type { ArrayLayout } from '../source/array-layout.ts'
import type { FileRef } from '../source/file.ts'
import type { ObjectVersion } from '../source/object.ts'
import type { FileSummary } from '../source/segments.ts'
import type { WholeColumns } from '../source/whole.ts'
import type { Schema } from '../types/schema.ts'

/** Reads the schemas, the segments and the wanted statistics of files, but no rows. */
export interface InspectTask {
  readonly kind: 'inspect'
  readonly format: FileFormat
  /** At least one. */
  readonly files: readonly FileRef[]
  /** The columns whose statistics are requested. */
  readonly statistics: readonly string[]
  /** The columns that are named, for formats whose rows depend on them. None: all columns. */
  readonly columns: readonly string[]
  /** Whether the query has many files. The answer then leaves out the values along the axes of small ones. */
  readonly areMany: boolean
  /** Whether everything is wanted that is known of all values of columns, whichever file and column they are of. Absent: it is not. */
  readonly isSurvey?: boolean
  readonly caching: boolean
  readonly cancel: SharedArrayBuffer
}

/** Tells what was found in the first files of a task, at least one: it ends early if it takes long. */
export interface InspectedFiles {
  readonly kind: 'inspected'
  /** The distinct schemas of the files, each once. */
  readonly schemas: readonly DigestedSchema[]
  /** The distinct layouts of the files, each once. */
  readonly layouts: readonly ArrayLayout[]
  /** In the order of the files. Small files of equal metadata have the same object, which a message has once. */
  readonly files: readonly InspectedFile[]
  readonly bounds: FileBounds
}

/** What is known of all values of columns of files. Two buffers for all of them, because a message takes a microsecond for each. */
export interface FileBounds {
  /** Where the bytes of each file end. */
  readonly ends: Uint32Array
  /** `WholeColumns` of all files, one after the other. */
  readonly entries: Uint8Array
}

/** What is known of the file at an index. */
export function boundsOfFile({ ends, entries }: FileBounds, index: number): WholeColumns {
  return entries.subarray(index === 0 ? 0 : ends[index - 1], ends[index])
}

export interface DigestedSchema {
  /** Equal schemas have equal digests, whichever worker has made them. */
  readonly digest: string
  readonly schema: Schema
}

export type InspectedFile = InspectedSummary | FoundGroups | FailedInspection

export interface InspectedSummary {
  readonly kind: 'summary'
  /** The index of its schema among those of the answer. */
  readonly schema: number
  /** The index of its layout, if it has one, and the sizes of its dimensions. */
  readonly arrays?: { readonly layout: number; readonly sizes: readonly number[] }
  readonly summary: Omit<FileSummary, 'schema' | 'arrays' | 'whole' | 'segments'> & {
    /** Absent: they are the grid of all columns, which follows from layout and sizes. */
    readonly segments?: FileSummary['segments']
  }
  /** Of a survey, for a list: what its segments say together, bounds of text among them. Absent: nothing. */
  readonly surveyed?: WholeColumns
}

/** The folder has several groups that are datasets. Each of them is inspected by itself. */
export interface FoundGroups {
  readonly kind: 'groups'
  /** The keys of the groups, in the order of their rows. */
  readonly groups: readonly string[]
  /** As in `FileSummary`: those that the groups were found in. */
  readonly documents: readonly ObjectVersion[]
}

/** The file cannot be read. */
export interface FailedInspection {
  readonly kind: 'failed'
  readonly error: ErrorData
}
