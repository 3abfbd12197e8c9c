import { ServiceError } from '../../plan/errors.ts'
import type { FileFormat } from '../../plan/format/file-format.ts'
import { type FileRef, isSmallFile } from '../../plan/source/file.ts'
import { faultOfGrid } from '../../plan/source/grid.ts'
import { decodeObjects, documentedFolder, type ObjectVersion } from '../../plan/source/object.ts'
import { MOST_OMITTED } from '../../plan/source/omitted.ts'
import type { FileSummary } from '../../plan/source/segments.ts'
import { hasWholeColumn, type WholeColumns } from '../../plan/source/whole.ts'
import type { FoundGroups, InspectTask } from '../../plan/task/inspect.ts'
import { fieldIndexes } from '../../plan/types/schema.ts'
import { compressionOf } from '../formats/compressed/compression-of.ts'
import { groupsOfError } from '../formats/groups-found.ts'
import type { HeldBytes, OpenFile, ReadContext, SmallSummary } from '../formats/provider.ts'
import { withMemory } from '../state/with-memory.ts'
import type { WorkerState } from '../state/worker-state.ts'
import { onlyObject, type Store } from '../store/store.ts'
import { boundsOf } from './bounds/bounds-of-segment.ts'
import type { BoundsTogether } from './bounds/bounds-together.ts'
import { surveyedColumns } from './bounds/surveyed-columns.ts'
import { summaryOfCompressed } from './inspect-compressed.ts'

/** A file whose bounds are found out together with those of others, its index among them, and its bytes. */
export interface FileTogether {
  readonly bounds: BoundsTogether
  readonly index: number
  readonly held: HeldBytes
}

/** What was found in a file, as the worker has it. */
export type FoundInFile = Summarized | FoundGroups

interface Summarized {
  readonly kind: 'summary'
  readonly summary: FileSummary
  /** As in `InspectedSummary`. */
  readonly surveyed?: WholeColumns
}

/**
 * Reads the schema, the segments and the wanted statistics of a dataset, but no rows. `together` has the bounds of further columns afterwards;
 * null: they are not wanted.
 */
export function inspectFile(
  task: InspectTask,
  file: FileRef,
  together: FileTogether | null,
  state: WorkerState,
  context: ReadContext,
): FoundInFile {
  using store = state.store(file, context.stopwatch)
  if (together !== null)
    store.adopt?.(together.held.memory.subarray(together.held.at, together.held.at + together.held.size))
  const isStored = file.plain === undefined && file.fetched === undefined
  const mayBeCompressed = isStored && state.mayBeCompressed(task.format)
  const compression = mayBeCompressed ? compressionOf(onlyObject(store)) : null
  let surveyed: WholeColumns | undefined
  const onSurveyed = (whole: WholeColumns): void => {
    surveyed = whole
  }
  const summarize = (read: Store) =>
    withMemory(state, context, () => summaryOf(task, read, together, onSurveyed, state, context))
  try {
    const summary =
      compression === null
        ? summarize(store)
        : summaryOfCompressed(task.format, store, compression, summarize, state, context)
    return { kind: 'summary', summary, ...(surveyed && { surveyed }) }
  } catch (error) {
    const groups = groupsOfError(error)
    if (groups === null) throw error
    store.verify()
    return answerGroups(store, groups)
  }
}

function summaryOf(
  task: InspectTask,
  store: Store,
  together: FileTogether | null,
  onSurveyed: (whole: WholeColumns) => void,
  state: WorkerState,
  context: ReadContext,
): FileSummary {
  const { isSurvey = false } = task
  const isOfMany = isSurvey || (task.areMany && isSmallFile(store.file))
  const small = isOfMany && !isSurvey ? state.summarize(task.format, store, context) : null
  if (small !== null && areAllTold(task.statistics, small)) {
    store.verify()
    return { ...small, statistics: {} }
  }
  const opened = state.open(task.format, store, context)
  opened.infer?.(store, context)
  const compared = isOfMany ? null : task.statistics
  const segments = opened.segments(task.columns, store, context, compared)
  const fault = segments.kind === 'grid' ? faultOfGrid(segments) : null
  if (fault !== null)
    throw new ServiceError(
      'unreadable_file',
      `"${store.file.path}" is damaged: it says that it has ${fault}.`,
    )
  const whole = isOfMany && segments.kind === 'list' ? boundsOf(opened, segments.segments) : null
  const indexByName = fieldIndexes(opened.schema.fields)
  const isAsked = (name: string): boolean => {
    const field = indexByName.get(name)
    return field !== undefined && (whole === null || !hasWholeColumn(whole, field))
  }
  const statistics = Object.fromEntries(
    task.statistics.filter(isAsked).map((name) => [name, opened.statistics(name)]),
  )
  // The answer has the values along the axes of few or large files, for which a worker has to know the columns.
  const arrays = compared === null ? opened.layout?.() : null
  const places = together === null ? [] : (opened.wholePlaces?.(store, context) ?? [])
  const others = new Set(places.map(({ field }) => field))
  const named = isSurvey ? opened.schema.fields.map(({ name }) => name) : task.statistics
  const bounds = whole ?? opened.whole?.(named, store, context, others)
  if (isSurvey && segments.kind === 'list') onSurveyed(surveyedColumns(opened, segments.segments))
  store.verify()
  together?.bounds.addPlaces(together.index, places, together.held)
  const { notices = [], omitted = [], unknownNames = [] } = opened
  const documents = documentsToKeep(task.format, store, opened, state)
  return {
    schema: opened.schema,
    segments,
    ...(documents && { documents }),
    ...(notices.length > 0 && { notices }),
    ...(omitted.length > 0 && { omitted: omitted.slice(0, MOST_OMITTED) }),
    ...(unknownNames.length > 0 && { unknownNames }),
    statistics,
    ...(arrays && { arrays }),
    ...(bounds !== undefined && bounds.length > 0 && { whole: bounds }),
  }
}

/** Whether the bounds of columns are among those that are told of a file, as far as it has these columns. */
function areAllTold(names: readonly string[], { schema, whole }: SmallSummary): boolean {
  const indexByName = fieldIndexes(schema.fields)
  return names.every((name) => {
    const field = indexByName.get(name)
    return field === undefined || hasWholeColumn(whole, field)
  })
}

/** The most groups of one store. Each of them is inspected and planned as a file. */
const MAX_GROUPS = 16_384

function answerGroups(store: Store, groups: readonly string[]): FoundGroups {
  if (groups.length > MAX_GROUPS)
    throw new ServiceError(
      'memory_limit',
      `"${store.file.path}" has ${groups.length} groups that are datasets; at most ${MAX_GROUPS} are read.`,
    )
  return { kind: 'groups', groups, documents: documentsOf(store) }
}

/** The most documents of a folder. Main keeps the version of each, some 300 bytes. */
const MAX_DOCUMENTS = 65_536

/**
 * The objects of a folder that were read, which define it. Its opened metadata are cached under the version of all of them.
 * Null: the dataset is one file.
 */
function documentsToKeep(
  format: FileFormat,
  store: Store,
  opened: OpenFile,
  state: WorkerState,
): readonly ObjectVersion[] | null {
  const { file } = store
  const { folder, location, version } = file
  if (folder === undefined) return null
  const documents = documentsOf(store)
  const documented = documentedFolder(location, folder.marker, version, documents, folder.group)
  state.keepOpen(format, file, { ...file, folder: documented }, opened)
  return documents
}

/** The documents that the plan names, and the objects that were read besides. Throws `memory_limit` for too many. */
function documentsOf(store: Store): readonly ObjectVersion[] {
  const { path, folder } = store.file
  const before = !folder?.documents ? [] : decodeObjects(folder.documents)
  const documents = [...before, ...store.objects()]
  if (documents.length > MAX_DOCUMENTS)
    throw new ServiceError(
      'memory_limit',
      `"${path}" is defined by ${documents.length} documents; at most ${MAX_DOCUMENTS} are read.`,
    )
  return documents
}
