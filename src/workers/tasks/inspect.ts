import { ServiceError } from '../../plan/errors.ts'
import { faultOfGrid } from '../../plan/source/grid.ts'
import { decodeObjects, documentedFolder, type ObjectVersion } from '../../plan/source/object.ts'
import { MOST_OMITTED } from '../../plan/source/omitted.ts'
import type { InspectAnswer, InspectTask, NeedsMetadataAnswer } from '../../plan/task/task.ts'
import { isMetadataNeeded } from '../formats/metadata-needed.ts'
import type { OpenFile, ReadContext } from '../formats/provider.ts'
import { withMemory } from '../state/with-memory.ts'
import type { WorkerState } from '../state/worker-state.ts'
import type { Store } from '../store/store.ts'

/** Reads the schema, the segments and the wanted statistics of a dataset, but no rows. */
export function inspect(
  task: InspectTask,
  state: WorkerState,
  context: ReadContext,
): InspectAnswer | NeedsMetadataAnswer {
  using store = state.store(task.file, context.stopwatch)
  try {
    return withMemory(state, context, () => summaryOf(task, store, state, context))
  } catch (error) {
    if (!isMetadataNeeded(error)) throw error
    store.verify()
    return { kind: 'needs_metadata', metrics: context.stopwatch.metrics() }
  }
}

function summaryOf(task: InspectTask, store: Store, state: WorkerState, context: ReadContext): InspectAnswer {
  const file = state.open(task.format, store, context)
  file.infer?.(store, context)
  const segments = file.segments(task.columns, store, context, task.statistics)
  const fault = segments.kind === 'grid' ? faultOfGrid(segments) : null
  if (fault !== null)
    throw new ServiceError('unreadable_file', `"${task.file.path}" is damaged: it says that it has ${fault}.`)
  const known = new Set(file.schema.fields.map((field) => field.name))
  const statistics = Object.fromEntries(
    task.statistics.filter((name) => known.has(name)).map((name) => [name, file.statistics(name)]),
  )
  store.verify()
  const { notices = [], omitted = [] } = file
  const documents = documentsOf(task, store, file, state)
  return {
    kind: 'summary',
    summary: {
      schema: file.schema,
      segments,
      ...(documents && { documents }),
      ...(notices.length > 0 && { notices }),
      ...(omitted.length > 0 && { omitted: omitted.slice(0, MOST_OMITTED) }),
      statistics,
    },
    metrics: context.stopwatch.metrics(),
  }
}

/** The most documents of a folder. Main keeps the version of each, some 300 bytes. */
const MAX_DOCUMENTS = 65_536

/**
 * The objects of a folder that were read, which define it. Its opened metadata are cached under the version of all of them.
 * Null: the dataset is one file.
 */
function documentsOf(
  { format, file }: InspectTask,
  store: Store,
  opened: OpenFile,
  state: WorkerState,
): readonly ObjectVersion[] | null {
  const { folder, version } = file
  if (folder === undefined) return null
  const before = folder.documents === null ? [] : decodeObjects(folder.documents)
  const documents = [...before, ...store.objects()]
  if (documents.length > MAX_DOCUMENTS)
    throw new ServiceError(
      'memory_limit',
      `"${file.path}" is defined by ${documents.length} documents; at most ${MAX_DOCUMENTS} are read.`,
    )
  const now = { ...file, folder: documentedFolder(file.location, folder.marker, version, documents) }
  state.keepOpen(format, file, now, opened)
  return documents
}
