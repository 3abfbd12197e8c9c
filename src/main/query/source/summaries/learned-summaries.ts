import type { FileFormat } from '../../../../plan/format/file-format.ts'
import { createLru } from '../../../../plan/lru.ts'
import { gridOfAll, type LaidOutArrays } from '../../../../plan/source/array-layout.ts'
import { type FileRef, fileKey, isFileSettled } from '../../../../plan/source/file.ts'
import type { Grid } from '../../../../plan/source/grid.ts'
import { type FileSummary, onlySegment, type Segment } from '../../../../plan/source/segments.ts'
import {
  entriesOf,
  mergeWhole,
  NO_WHOLE_COLUMNS,
  packWithTexts,
  staysWhole,
  type WholeColumns,
  type WholeOfFile,
} from '../../../../plan/source/whole.ts'
import { createSlice } from '../../../../plan/steps.ts'
import { fieldIndexes } from '../../../../plan/types/schema.ts'
import type { LearnedFile, LearnedFiles } from '../../../learned/learned-files.ts'
import type { SharedArrays } from '../schema/shared-layouts.ts'
import { type SharedSchemas, schemaDigest } from '../schema/shared-schemas.ts'
import { createFileFacts, isPlainSummary } from './rows/file-facts.ts'

/** What is known of files whichever columns a query reads, and stays known after a restart. */
export interface LearnedSummaries {
  /** What is known of files, in their order. Null: nothing. */
  find(format: FileFormat, files: readonly FileRef[]): Promise<readonly (LearnedFile | null)[]>
  /** Finds what is stored of files, and adds it to the facts. Returns what is known of those that are none, in the order of the files. */
  recall(format: FileFormat, files: readonly FileRef[]): Promise<readonly (LearnedFile | null)[]>
  /** The summary of all columns of a file, if it is among the facts. */
  summaryOf(format: FileFormat, file: FileRef): FileSummary | undefined
  /** Adds what a worker has told of a version of a file that is settled. `isWhole`: the grid is that of all columns. */
  learn(format: FileFormat, file: FileRef, summary: FileSummary, isWhole: boolean): Learned
  /** Stores what a worker has told of a file that is one segment. `earlier`: what is stored of it, as `find` has told. */
  storeSegment(format: FileFormat, file: FileRef, summary: FileSummary, earlier: LearnedFile | null): void
  /** The number of files among the facts. */
  readonly facts: number
  readonly bytes: number
  readonly evictions: number
}

interface Learned {
  /** What is known of all values of the columns of the file, if that is more than before. */
  readonly whole?: WholeOfFile
  /** Whether the summary of all columns is now among the facts. */
  readonly isFact: boolean
}

const NOTHING: Learned = Object.freeze({ isFact: false })

/** The most bytes of facts: those of some 400 000 files with few columns. */
const FACTS_CAPACITY = 128 << 20

/** The most bytes of what is known of all values of other files. Objects of a file that share their schema take some 500 more. */
const CAPACITY = 32 << 20
const FILE_BYTES = 500

export function createLearnedSummaries(
  stored: LearnedFiles,
  shared: SharedSchemas,
  sharedArrays: SharedArrays,
): LearnedSummaries {
  const learnedFiles = createLru<LearnedFile>(CAPACITY, ({ whole }) => FILE_BYTES + bytesOfWhole(whole))
  const facts = createFileFacts(FACTS_CAPACITY)
  const keyOf = ({ key }: FileFormat, file: FileRef): string => `${key}:${file.location}:${fileKey(file)}`

  /** What is known of a file that is not among the facts. */
  function findOther(format: FileFormat, file: FileRef): LearnedFile | undefined {
    return learnedFiles.size === 0 ? undefined : learnedFiles.get(keyOf(format, file))
  }

  /** False: it is kept, but not among the facts. */
  function keep(format: FileFormat, file: FileRef, learned: LearnedFile, mayBeFact: boolean): boolean {
    if (mayBeFact && facts.put(format, file, learned)) return true
    learnedFiles.put(keyOf(format, file), learned)
    return false
  }

  async function recall(
    format: FileFormat,
    files: readonly FileRef[],
  ): Promise<readonly (LearnedFile | null)[]> {
    const others = new Array<LearnedFile | null>(files.length).fill(null)
    const missing: number[] = []
    const asked: FileRef[] = []
    const slice = createSlice()
    for (let index = 0; index < files.length; index++) {
      if (slice.isOver()) await slice.next()
      const file = files[index]
      if (file === undefined || facts.has(format, file)) continue
      const learned = findOther(format, file)
      if (learned !== undefined) others[index] = learned
      else if (isLearned(file)) {
        missing.push(index)
        asked.push(file)
      }
    }
    let at = 0
    for await (const some of asked.length === 0 ? [] : stored.find(format, asked))
      for (const each of some) {
        if (slice.isOver()) await slice.next()
        const [file, index] = [asked[at], missing[at++]]
        if (each === null || file === undefined || index === undefined) continue
        const learned = withSharedParts(each)
        if (learned.segment === undefined && facts.put(format, file, learned)) continue
        const copy = { ...learned, whole: entriesOf(learned.whole).slice() }
        // Whoever has asked keeps summaries of segments.
        if (copy.segment === undefined) learnedFiles.put(keyOf(format, file), copy)
        others[index] = copy
      }
    return others
  }

  /** What is stored of a file, with the schema and the arrays that equal ones have. */
  function withSharedParts(learned: LearnedFile): LearnedFile {
    const { schema: ofFile, grid, arrays, segment, whole } = learned
    const schema = shared(schemaDigest(ofFile), ofFile)
    if (arrays !== undefined) return { schema, ...sharedGrid(grid, sharedArrays(arrays)), whole }
    return { schema, grid, ...(segment && { segment }), whole }
  }

  return {
    summaryOf: facts.find,
    recall,
    async find(format, files) {
      const others = await recall(format, files)
      const slice = createSlice()
      const learnedOfFiles: (LearnedFile | null)[] = []
      for (const file of files) {
        if (slice.isOver()) await slice.next()
        const fact = facts.find(format, file)
        learnedOfFiles.push(
          fact === undefined ? (others[learnedOfFiles.length] ?? null) : learnedOfFact(fact),
        )
      }
      return learnedOfFiles
    },
    learn(format, file, summary, isWhole) {
      const { schema, segments, arrays, whole, omitted } = summary
      // A file of which something is omitted is inspected again, so that a query that names it gets the reason.
      if (segments.kind !== 'grid' || omitted !== undefined || file.folder !== undefined) return NOTHING
      const fact = facts.find(format, file)
      const earlier = fact === undefined ? findOther(format, file) : learnedOfFact(fact)
      const ofArrays = arrays ?? earlier?.arrays
      const learned: LearnedFile = {
        schema: earlier?.schema ?? schema,
        grid: isWhole ? segments : (earlier?.grid ?? null),
        ...(ofArrays && { arrays: ofArrays }),
        whole: mergeWhole(earlier?.whole, whole),
      }
      const isMore =
        earlier === undefined ||
        (learned.grid === null) !== (earlier.grid === null) ||
        (learned.arrays === undefined) !== (earlier.arrays === undefined) ||
        learned.whole !== earlier.whole
      const isFact = fact !== undefined
      if (!isMore) return { isFact }
      stored.put(format, file, learned)
      const mayBeFact = isFact || (isWhole && isPlainSummary(summary))
      return { whole: learned.whole, isFact: keep(format, file, learned, mayBeFact) }
    },
    storeSegment(format, file, summary, earlier) {
      const segment = storedSegment(file, summary)
      if (segment === undefined) return
      const ofFile = mergeWhole(summary.whole, wholeOfStatistics(summary, segment))
      const whole = mergeWhole(earlier?.whole, ofFile)
      if (earlier?.segment !== undefined && whole === earlier.whole) return
      stored.put(format, file, { schema: summary.schema, grid: null, segment, whole })
    },
    get facts() {
      return facts.size
    },
    get bytes() {
      return learnedFiles.weight + facts.bytes
    },
    get evictions() {
      return learnedFiles.evictions + facts.evictions
    },
  }
}

/** Facts here are of arrays. */
function learnedOfFact({ schema, segments, arrays, whole = NO_WHOLE_COLUMNS }: FileSummary): LearnedFile {
  const grid = segments.kind === 'grid' ? segments : null
  return { schema, grid, ...(arrays && { arrays }), whole }
}

/**
 * What is known of a file that is one segment, with its statistics as those of all values. Null: it says more than that, or its statistics would
 * say less there.
 */
export function asOneSegment(file: FileRef, summary: FileSummary): LearnedFile | null {
  const segment = storedSegment(file, summary)
  const statistics = Object.values(summary.statistics)
  if (segment === undefined || !statistics.every(([each]) => staysWhole(each ?? {}))) return null
  if (segment.rows === null && statistics.length > 0) return null
  const { schema, whole = NO_WHOLE_COLUMNS } = summary
  if (statistics.length === 0) return { schema, grid: null, segment, whole }
  return { schema, grid: null, segment, whole: mergeWhole(whole, wholeOfStatistics(summary, segment)) }
}

/** The segment from which, with the schema, the summary of a file follows. Undefined: it has several, or says more. */
export function storedSegment(file: FileRef, summary: FileSummary): Segment | undefined {
  const isWhole = isLearned(file) && file.plain === undefined && isPlainSummary(summary)
  return isWhole ? onlySegment(summary.segments) : undefined
}

/** The statistics of the only segment of a file, as of all values. A column that has none has no bounds, so that it is not asked for again. */
function wholeOfStatistics({ schema, statistics }: FileSummary, { rows }: Segment): WholeColumns {
  if (rows === null) return NO_WHOLE_COLUMNS
  const columns = Object.entries(statistics).flatMap(([name, [ofSegment]]) => {
    const field = fieldIndexes(schema.fields).get(name)
    return field === undefined ? [] : { field, values: rows, statistics: ofSegment ?? {} }
  })
  return packWithTexts(columns.toSorted((a, b) => a.field - b.field))
}

/** Entries alone: rows are facts. */
function bytesOfWhole(whole: WholeOfFile): number {
  return whole instanceof Uint8Array ? whole.length : 0
}

/** The arrays of a file, and the grid of all columns, if it has one. */
function sharedGrid(grid: Grid | null, arrays: LaidOutArrays): Pick<LearnedFile, 'grid' | 'arrays'> {
  return { arrays, grid: grid && gridOfAll(arrays) }
}

/** Whether what is known of a dataset follows from its version alone: it is one file, which no write is changing. */
function isLearned(file: FileRef): boolean {
  return file.folder === undefined && isFileSettled(file)
}
