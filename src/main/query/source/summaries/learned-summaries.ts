import type { FileFormat } from '../../../../plan/format/file-format.ts'
import { createLru } from '../../../../plan/lru.ts'
import { gridOfAll, type LaidOutArrays } from '../../../../plan/source/array-layout.ts'
import { type FileRef, fileKey, isFileSettled } from '../../../../plan/source/file.ts'
import type { Grid } from '../../../../plan/source/grid.ts'
import type { FileSummary } from '../../../../plan/source/segments.ts'
import { mergeWhole, type WholeColumns } from '../../../../plan/source/whole.ts'
import type { LearnedFile, LearnedFiles } from '../../../learned/learned-files.ts'
import type { SharedArrays } from '../schema/shared-layouts.ts'
import { type SharedSchemas, schemaDigest } from '../schema/shared-schemas.ts'

/** What is known of files of arrays whichever columns a query reads, and stays known after a restart. */
export interface LearnedSummaries {
  /** What is known of files, in their order. Null: nothing. */
  find(format: FileFormat, files: readonly FileRef[]): Promise<readonly (LearnedFile | null)[]>
  /**
   * Adds what a worker has told of a file, and returns what is known of all values of its columns then, if that is more than before.
   * `isWhole`: the grid is that of all columns.
   */
  learn(format: FileFormat, file: FileRef, summary: FileSummary, isWhole: boolean): WholeColumns | undefined
  readonly bytes: number
  readonly evictions: number
}

/** The most bytes of what is known of all values. Objects of a file that share their schema take some 500 more. */
const CAPACITY = 64 << 20
const FILE_BYTES = 500

export function createLearnedSummaries(
  stored: LearnedFiles,
  shared: SharedSchemas,
  sharedArrays: SharedArrays,
): LearnedSummaries {
  const learnedFiles = createLru<LearnedFile>(CAPACITY, ({ whole }) => FILE_BYTES + whole.length)
  const keyOf = ({ key }: FileFormat, file: FileRef): string => `${key}:${file.location}:${fileKey(file)}`

  return {
    async find(format, files) {
      const learnedOfFiles = files.map((file) => learnedFiles.get(keyOf(format, file)) ?? null)
      const missing = learnedOfFiles.flatMap((each, index) =>
        each === null && isLearned(files[index]) ? [index] : [],
      )
      if (missing.length === 0) return learnedOfFiles
      const asked = missing.flatMap((index) => files[index] ?? [])
      const loaded = await stored.find(format, asked)
      for (const [at, index] of missing.entries()) {
        const [file, each] = [asked[at], loaded[at] ?? null]
        if (file === undefined || each === null) continue
        const { schema, arrays } = each
        const learned = {
          ...each,
          schema: shared(schemaDigest(schema), schema),
          ...(arrays && sharedGrid(each.grid, sharedArrays(arrays))),
        }
        learnedFiles.put(keyOf(format, file), learned)
        learnedOfFiles[index] = learned
      }
      return learnedOfFiles
    },
    learn(format, file, summary, isWhole) {
      const { schema, segments, arrays, whole, omitted } = summary
      // A file of which something is omitted is inspected again, so that a query that names it gets the reason.
      if (segments.kind !== 'grid' || omitted !== undefined || !isLearned(file)) return undefined
      const key = keyOf(format, file)
      const earlier = learnedFiles.get(key)
      const ofArrays = arrays ?? earlier?.arrays
      const learned: LearnedFile = {
        schema: earlier?.schema ?? schema,
        grid: isWhole ? segments : (earlier?.grid ?? null),
        ...(ofArrays && { arrays: ofArrays }),
        whole: mergeWhole(earlier?.whole, whole),
      }
      const isMore =
        (learned.grid === null) !== (earlier?.grid == null) ||
        (learned.arrays === undefined) !== (earlier?.arrays === undefined) ||
        learned.whole !== earlier?.whole
      if (earlier !== undefined && !isMore) return undefined
      learnedFiles.put(key, learned)
      stored.put(format, file, learned)
      return learned.whole
    },
    get bytes() {
      return learnedFiles.weight
    },
    get evictions() {
      return learnedFiles.evictions
    },
  }
}

/** The arrays of a file, and the grid of all columns, if it has one. */
function sharedGrid(grid: Grid | null, arrays: LaidOutArrays): Pick<LearnedFile, 'grid' | 'arrays'> {
  return { arrays, grid: grid && gridOfAll(arrays) }
}

/** Whether what is known of a dataset follows from its version alone: it is one file, which no write is changing. */
function isLearned(file: FileRef | undefined): file is FileRef {
  return file !== undefined && file.folder === undefined && isFileSettled(file)
}
