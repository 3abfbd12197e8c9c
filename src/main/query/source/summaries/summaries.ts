import { fromErrorData } from '../../../../plan/errors.ts'
import { areRowsOfColumns, type FileFormat } from '../../../../plan/format/file-format.ts'
import { createLru } from '../../../../plan/lru.ts'
import { memoize } from '../../../../plan/memoize.ts'
import { gridOfAll, type LaidOutArrays, withSharedParts } from '../../../../plan/source/array-layout.ts'
import { type FileRef, fileKey, isFileSettled } from '../../../../plan/source/file.ts'
import { columnsAlong, type Grid } from '../../../../plan/source/grid.ts'
import type { ObjectVersion } from '../../../../plan/source/object.ts'
import { type FileSummary, list } from '../../../../plan/source/segments.ts'
import { hasWholeColumn, isNothing, mergeWhole, valuesOf } from '../../../../plan/source/whole.ts'
import { createSlice, isTrueOfAll, runInSlices } from '../../../../plan/steps.ts'
import type { FailedInspection, FoundGroups } from '../../../../plan/task/inspect.ts'
import { fieldIndexes } from '../../../../plan/types/schema.ts'
import { identityOf } from '../../../datasets/fingerprint/file-rows.ts'
import type { Ticket } from '../../../dispatch/ticket.ts'
import type { CacheFigures } from '../../../gauges/cache-figures.ts'
import { type LearnedFile, type LearnedFiles, NO_LEARNED_FILES } from '../../../learned/learned-files.ts'
import type { OnAnswer } from '../on-answer.ts'
import { createSharedArrays } from '../schema/shared-layouts.ts'
import { createSharedSchemas } from '../schema/shared-schemas.ts'
import { type FoundSummary, inspectFiles, segmentsFound } from './ask-workers.ts'
import { createFolderSummaries, type FolderSummariesOptions, type PlannedFolder } from './folder-summaries.ts'
import { type FileError, inspectTogether } from './inspected-together.ts'
import { createKeptLists } from './kept-lists.ts'
import { asOneSegment, createLearnedSummaries } from './learned-summaries.ts'
import { MOST_FEW } from './most-few.ts'
import { createOmittedLog, type OnOmitted } from './omitted-log.ts'
import { createFileFacts, NO_STATISTICS } from './rows/file-facts.ts'
import { type PackedSummaries, packSummaries } from './rows/packed-summaries.ts'
import { createSurvey, type Survey } from './survey.ts'
import { type FileFacts, surveyedFacts } from './surveyed-facts.ts'
import { createSurveyedLists } from './surveyed-lists.ts'
import type { WantedOfFiles } from './wanted.ts'

/** Keeps the summaries of files between queries, by the files' versions: their schemas, segments and statistics. */
export interface Summaries {
  /**
   * Finds the summaries of files, in the order of the files. Workers inspect files of which something wanted is not known. Also
   * returns the files as they are planned: a folder comes back with its documents, or as a file for each of its groups. Rejects with the
   * error of the first file that cannot be read.
   */
  of(
    format: FileFormat,
    files: readonly FileRef[],
    wanted: WantedOfFiles,
    ticket: Ticket,
    onAnswer: OnAnswer,
  ): Promise<PlannedFiles>
  /** What is learned of files, in their order, without asking a worker. Null: nothing. */
  learned(
    format: FileFormat,
    files: readonly FileRef[],
    ticket: Ticket,
  ): Promise<readonly (Pick<FileSummary, 'schema' | 'whole'> | null)[]>
  /**
   * The schemas of many files of row groups, in their order, if they are learned of all of them and the summaries are not at hand, as `of` would find them. Null
   * otherwise: then `of` is asked.
   */
  learnedSchemas(
    format: FileFormat,
    files: readonly FileRef[],
    statistics: readonly string[],
    ticket: Ticket,
  ): Promise<LearnedSchemas | null>
  readonly survey: Survey
  /** What is known of files that were analyzed as they are now, in their order. Null: a file was not. */
  surveyed(
    format: FileFormat,
    files: readonly FileRef[],
    ticket: Ticket,
  ): Promise<readonly (FileFacts | null)[]>
  figures(): CacheFigures
}

interface LearnedSchemas {
  readonly schemas: readonly Pick<FileSummary, 'schema'>[]
  /** The rows of all files, as far as they are known. */
  readonly rows: number
}

export interface PlannedFiles {
  readonly files: readonly FileRef[]
  /** In the order of the files. */
  readonly summaries: readonly FileSummary[]
  /** Documents of folders that are in no summary: they tell which groups there are. */
  readonly documents: readonly ObjectVersion[]
}

/** How the documents of folders are checked. */
export type FolderChecks = Pick<FolderSummariesOptions, 'now' | 'isUnchanged'>

/** No checks: a summary of a folder is used only once. */
const NO_CHECKS: FolderChecks = Object.freeze({
  now: async () => BigInt(Date.now()) * 1_000_000n,
  isUnchanged: async () => false,
})

/** The most numbers in all summaries together: segments × columns. */
const CAPACITY = 2_000_000

/** The most numbers in the summaries of folders together, and documents of folders. */
const FOLDER_CAPACITY = 500_000

/** The most bytes of rows of files that are one segment: those of some 200 000 files with few columns. */
const SEGMENTS_CAPACITY = 64 << 20

/** The end of the key of a grid of all columns. */
const BASE_SUFFIX = ' '

/** What a file weighs that has its schema and layout in common with others, and its own sizes. */
const LAID_OUT = 16

/** The memory that a number of a summary takes, approximately. */
const NUMBER_BYTES = 50

/** Files inspected at once, for each worker: enough to keep it busy while its answers are on their way. */
const ASKED_PER_WORKER = 4

export function createSummaries(
  workers: number,
  checks: FolderChecks = NO_CHECKS,
  onOmitted: OnOmitted = () => {},
  stored: LearnedFiles = NO_LEARNED_FILES,
): Summaries {
  const folders = createFolderSummaries({
    capacity: FOLDER_CAPACITY,
    concurrent: workers * ASKED_PER_WORKER,
    weightOf,
    covers,
    ...checks,
  })
  const summariesByFile = createLru<FileSummary>(CAPACITY, weightOf)
  /** Those of files that are one segment. */
  const segmentFacts = createFileFacts(SEGMENTS_CAPACITY)
  const shared = createSharedSchemas()
  const sharedArrays = createSharedArrays()
  const lists = createKeptLists<object, PackedSummaries>()
  const logOmitted = createOmittedLog(onOmitted)
  const learned = createLearnedSummaries(stored, shared, sharedArrays)
  let hits = 0
  let misses = 0

  /** By the summary as a worker has told it, which files of equal metadata have in common. */
  const sharedSummaries = new WeakMap<FoundSummary['summary'], Omit<FileSummary, 'whole'>>()

  /** A summary with the schema and the arrays that equal ones have. */
  function withShared({ summary, digest }: FoundSummary): Omit<FileSummary, 'whole'> {
    const earlier = sharedSummaries.get(summary)
    if (earlier !== undefined) return earlier
    const arrays = summary.arrays && sharedArrays(summary.arrays)
    const { segments } = summary
    const sharing = {
      ...summary,
      schema: shared(digest, summary.schema),
      segments:
        segments && arrays
          ? sharedParts(segments, arrays)
          : segmentsFound({ ...summary, ...(arrays && { arrays }) }),
      ...(arrays && { arrays }),
    }
    sharedSummaries.set(summary, sharing)
    return sharing
  }

  const findSurveyed = createSurveyedLists(learned, stored)

  /** The kept summaries of the files of a list, if they cover these columns. */
  async function findList(
    format: FileFormat,
    files: readonly FileRef[],
    suffix: string,
    statistics: readonly string[],
  ): Promise<readonly FileSummary[] | undefined> {
    const packed = lists.find(identityOf(files), listKeyOf(format, suffix))
    const summaries = await packed?.summaries()
    // A summary of a grid has all that is known of its columns, whichever are asked for.
    if (summaries === undefined || format.layout === 'grid') return summaries
    return (await coverAll(summaries, statistics)) ? summaries : undefined
  }

  return {
    surveyed: (format, files, ticket) => surveyedFacts(format, files, learned, stored, ticket),
    survey: createSurvey(learned, stored, lists.forget),
    async learnedSchemas(format, files, statistics, ticket) {
      if (!ticket.caching || (await findList(format, files, '', statistics)) !== undefined) return null
      const ofFiles = await findSurveyed(format, files, ticket)
      if (ofFiles.length < files.length) return null
      const schemas: Pick<FileSummary, 'schema'>[] = []
      let rows = 0
      for (const each of ofFiles) {
        if (each === null) return null
        schemas.push(each)
        rows += each.segment?.rows ?? valuesOf(each.whole) ?? 0
      }
      return { schemas, rows }
    },
    async of(format, files, asking, ticket, onAnswer) {
      const { statistics, columns } = asking
      const { areMany = files.length > MOST_FEW } = asking
      const wanted = { statistics, columns, areMany }
      const { caching } = ticket
      const areFolders = files.some(({ folder }) => folder !== undefined)
      // What an answer has of a grid, or of runs of entries, depends on all of them.
      const asked =
        columns.length === 0 ? [] : [columns.toSorted(), statistics.toSorted(), areMany ? ['many'] : []]
      const suffix = areRowsOfColumns(format)
        ? `${BASE_SUFFIX}${asked.map((names) => names.join('\0')).join('\0\0')}`
        : ''
      const keyOf = (file: FileRef): string => `${format.key}:${fileKey(file)}${suffix}`
      const isSegmented = format.layout === 'row_groups' || format.layout === 'text'
      // Of few files with segments nothing is stored: the thread that stores it would start for each service.
      const areSegments = areMany && isSegmented
      // Making a key for each file costs more than to find a fact.
      const findByFile = (file: FileRef): FileSummary | undefined => {
        const fact = isSegmented ? segmentFacts.find(format, file) : undefined
        if (fact !== undefined && statistics.every((name) => covers(fact, name))) return fact
        return summariesByFile.size === 0 ? fact : summariesByFile.get(keyOf(file))
      }
      /** Keeps a summary, and returns it as it is kept. */
      const keepByFile = (file: FileRef, summary: FileSummary, key: string | null): FileSummary => {
        const learnedFile = areSegments ? asOneSegment(file, summary) : null
        // What the row has of its values is not kept a second time.
        if (learnedFile !== null && segmentFacts.put(format, file, learnedFile))
          return segmentFacts.find(format, file) ?? summary
        summariesByFile.put(key ?? keyOf(file), summary)
        return summary
      }
      const keepsList = caching && areMany && !areFolders
      const keptSummaries = keepsList ? await findList(format, files, suffix, statistics) : undefined
      if (keptSummaries !== undefined) {
        hits += files.length
        return { files, summaries: keptSummaries, documents: [] }
      }
      const foundSummaries: FileSummary[] = new Array(files.length)
      const missing: number[] = []
      const missingFiles: FileRef[] = []
      const divided = new Map<number, PlannedFolder>()
      const isBase = format.layout === 'grid' && columns.length === 0
      const slice = createSlice()
      let at = 0
      for (const file of files) {
        if (slice.isOver()) await slice.next()
        const index = at++
        const fact = caching && isBase ? learned.summaryOf(format, file) : undefined
        const summary = fact ?? (caching ? findByFile(file) : undefined)
        if (summary && statistics.every((name) => covers(summary, name))) foundSummaries[index] = summary
        else {
          missing.push(index)
          missingFiles.push(file)
        }
      }
      if (caching && !areFolders) {
        hits += files.length - missing.length
        misses += missing.length
      }
      if (missing.length === 0 && !keepsList) return { files, summaries: foundSummaries, documents: [] }
      const unknown: number[] = []
      const isLearned = caching && (isBase || areSegments)
      const recalled = isLearned ? await ticket.waitFor(learned.recall(format, missingFiles)) : []
      /** What is stored of files that are inspected all the same. */
      const storedOf = new Map<number, LearnedFile>()
      for (let at = 0; at < missing.length; at++) {
        if (slice.isOver()) await slice.next()
        const [file, index = 0] = [missingFiles[at], missing[at]]
        const fact = isLearned && file ? learned.summaryOf(format, file) : undefined
        const learnedFile = recalled[at] ?? null
        const summary = fact ?? (learnedFile && summaryOfLearned(learnedFile))
        if (file && summary && statistics.every((name) => covers(summary, name)))
          foundSummaries[index] = fact ?? keepByFile(file, summary, null)
        else {
          unknown.push(index)
          if (learnedFile !== null) storedOf.set(index, learnedFile)
        }
      }
      const keep = (index: number, file: FileRef, ofFile: FoundSummary): void => {
        logOmitted(format, file, ofFile.summary.omitted)
        const key = caching && summariesByFile.size > 0 ? keyOf(file) : null
        const earlier = key === null ? undefined : summariesByFile.get(key)
        const fact = caching && isSegmented ? segmentFacts.find(format, file) : undefined
        const ofWorker = withShared(ofFile)
        const whole = fact?.whole === undefined ? ofFile.whole : mergeWhole(fact.whole, ofFile.whole)
        const summary: FileSummary = {
          ...ofWorker,
          ...(earlier !== undefined && { statistics: { ...earlier.statistics, ...ofWorker.statistics } }),
          ...(whole && { whole }),
        }
        foundSummaries[index] = summary
        if (!caching || !isFileSettled(file)) return
        if (areSegments) learned.storeSegment(format, file, summary, storedOf.get(index) ?? null)
        const { whole: learnedWhole, isFact } = learned.learn(format, file, summary, isBase)
        const gridFact = isBase && isFact ? learned.summaryOf(format, file) : undefined
        foundSummaries[index] = gridFact ?? keepByFile(file, summary, key)
        if (isBase || learnedWhole === undefined) return
        const baseKey = `${format.key}:${fileKey(file)}${BASE_SUFFIX}`
        const base = summariesByFile.get(baseKey)
        if (base !== undefined) summariesByFile.put(baseKey, { ...base, whole: learnedWhole })
        if (base !== undefined || isFact) lists.forget()
      }
      const lanes = workers * ASKED_PER_WORKER
      const failure = await inspectTogether(unknown, files, lanes, async (together, signal) => {
        const asked = together.flatMap((index) => files[index] ?? [])
        const [first = 0] = together
        const [file] = asked
        if (file?.folder !== undefined) {
          const plannedFolder = await folders.of(format, file, file.folder, wanted, ticket, onAnswer)
          divided.set(first, plannedFolder)
          return null
        }
        const inspected = await inspectFiles(format, asked, wanted, ticket, onAnswer, signal)
        let failure: FileError | null = null
        for (const [at, index] of together.entries()) {
          // Several answers may arrive in one turn.
          if (slice.isOver()) await slice.next()
          const [each, inspectedFile] = [inspected[at], asked[at]]
          if (each === undefined || inspectedFile === undefined) break
          if (each.kind === 'summary') keep(index, inspectedFile, each)
          else failure ??= { index, error: errorOf(inspectedFile, each) }
        }
        return failure
      })
      if (failure !== null) throw failure.error
      if (divided.size > 0) return join(files, foundSummaries, divided)
      if (keepsList && (await isTrueOfAll(files, isFileSettled))) {
        const packed = await runInSlices(packSummaries(foundSummaries))
        lists.keep(identityOf(files), listKeyOf(format, suffix), packed)
      }
      return { files, summaries: foundSummaries, documents: [] }
    },
    async learned(format, files, ticket) {
      if (!ticket.caching) return []
      if (format.layout === 'row_groups') return findSurveyed(format, files, ticket)
      return await ticket.waitFor(learned.find(format, files))
    },
    figures() {
      const ofFolders = folders.figures()
      return {
        hits: hits + ofFolders.hits,
        misses: misses + ofFolders.misses,
        evictions:
          summariesByFile.evictions + segmentFacts.evictions + ofFolders.evictions + learned.evictions,
        entries: summariesByFile.size + segmentFacts.size + learned.facts + ofFolders.entries,
        bytes:
          (summariesByFile.weight + ofFolders.weight) * NUMBER_BYTES + segmentFacts.bytes + learned.bytes,
      }
    },
  }
}

/** The summary of all columns of a file. Null: it does not follow from what is learned. */
function summaryOfLearned({ schema, grid, segment, arrays, whole }: LearnedFile): FileSummary | null {
  const segments = segment === undefined ? grid : list([segment])
  if (segments === null) return null
  const statistics = NO_STATISTICS
  return { schema, segments, statistics, ...(arrays && { arrays }), ...(!isNothing(whole) && { whole }) }
}

/** A part of the key of kept lists. Which statistics their summaries have is found out. */
function listKeyOf(format: FileFormat, suffix: string): string {
  return `${format.key}\n${suffix}`
}

/** The columns that all summaries of a kept list cover, as far as they were asked for. */
const coveredNames = memoize((_summaries: readonly FileSummary[]) => new Set<string>())

/** Whether all of these summaries, which are those of a kept list, cover the columns. */
async function coverAll(summaries: readonly FileSummary[], names: readonly string[]): Promise<boolean> {
  for (const name of names) {
    if (coveredNames(summaries).has(name)) continue
    if (!(await isTrueOfAll(summaries, (summary) => covers(summary, name)))) return false
    coveredNames(summaries).add(name)
  }
  return true
}

/** The error of a file that cannot be read. */
function errorOf(file: FileRef, inspection: FailedInspection | FoundGroups): unknown {
  if (inspection.kind === 'failed') return fromErrorData(inspection.error)
  throw new TypeError(`"${file.path}" is a file and has groups`)
}

function sharedParts(segments: FileSummary['segments'], arrays: LaidOutArrays): FileSummary['segments'] {
  if (segments.kind !== 'grid') return segments
  const grid = gridOfAll(arrays)
  return grid !== null && isSameGrid(segments, grid) ? grid : withSharedParts(segments, arrays)
}

/** Whether a grid of a file tells no more than that which follows from its arrays. */
function isSameGrid(segments: Grid, { axes, shape, chunk, leader, isAtomic }: Grid): boolean {
  return (
    segments.leader === leader &&
    segments.isAtomic === isAtomic &&
    segments.annex === undefined &&
    segments.chunkStatistics === undefined &&
    segments.axes.length === axes.length &&
    segments.axes.every(
      (axis, at) =>
        axis.dimension === axes[at]?.dimension &&
        columnsAlong(axis).length === 0 &&
        segments.shape[at] === shape[at] &&
        segments.chunk[at] === chunk[at],
    )
  )
}

/** The planned files, with those of each folder in its place. */
function join(
  files: readonly FileRef[],
  summaries: readonly FileSummary[],
  folders: ReadonlyMap<number, PlannedFolder>,
): PlannedFiles {
  const parts = files.map(
    (file, index) =>
      folders.get(index) ?? { files: [file], summaries: summaries.slice(index, index + 1), documents: [] },
  )
  return {
    files: parts.flatMap((each) => each.files),
    summaries: parts.flatMap((each) => each.summaries),
    documents: parts.flatMap((each) => each.documents),
  }
}

/** Whether the statistics of a column are known, or the file has no such column. Those of a grid's axes are always known. */
function covers(summary: FileSummary, name: string): boolean {
  if (summary.segments.kind === 'grid') return true
  if (Object.hasOwn(summary.statistics, name)) return true
  const field = fieldIndexes(summary.schema.fields).get(name)
  return field === undefined || (summary.whole !== undefined && hasWholeColumn(summary.whole, field))
}

function weightOf(summary: FileSummary): number {
  const { schema, segments, arrays } = summary
  if (segments.kind === 'list') return (1 + schema.fields.length) * (1 + segments.segments.length)
  const numbers = segments.axes
    .flatMap(columnsAlong)
    .reduce((sum, { statistics }) => sum + statistics.length, 0)
  return 1 + (arrays === undefined ? schema.fields.length : LAID_OUT) + numbers
}
