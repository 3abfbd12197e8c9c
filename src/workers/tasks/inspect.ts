import { isServiceError, toErrorData } from '../../plan/errors.ts'
import { memoize } from '../../plan/memoize.ts'
import { type FileRef, isSmallFile } from '../../plan/source/file.ts'
import type { FileSummary } from '../../plan/source/segments.ts'
import { entriesOf } from '../../plan/source/whole.ts'
import type { InspectedFile, InspectedSummary, InspectTask } from '../../plan/task/inspect.ts'
import type { InspectAnswer } from '../../plan/task/task.ts'
import type { AlikeFiles, ReadContext } from '../formats/provider.ts'
import { withMemory } from '../state/with-memory.ts'
import type { WorkerState } from '../state/worker-state.ts'
import { type BoundsTogether, createBoundsTogether } from './bounds/bounds-together.ts'
import { createDistinctLayouts, createDistinctSchemas } from './distinct.ts'
import { inspectFile } from './inspect-file.ts'

/** What is told of files whose rows follow from their layout. A message has it once. */
const NO_MORE: InspectedSummary['summary'] = Object.freeze({ statistics: Object.freeze({}) })

/** After this time no further file is begun, because other queries wait for the worker. Milliseconds. */
const MOST_MS = 20

/**
 * Inspects files one after the other. What is wrong with one of them is its own result: the others are known all the same. Throws
 * `cancelled`, and what is no error of a file.
 */
export function inspect(task: InspectTask, state: WorkerState, context: ReadContext): InspectAnswer {
  const schemas = createDistinctSchemas()
  const layouts = createDistinctLayouts()
  const bounds = createBoundsTogether(state.store, state.readSmall, state.isCaching, context)
  const toInspected = ({
    schema,
    arrays,
    ...others
  }: Omit<FileSummary, 'whole' | 'segments'> & Partial<Pick<FileSummary, 'segments'>>): InspectedSummary => {
    const { layout, sizes } = arrays ?? {}
    return {
      kind: 'summary',
      schema: schemas.indexOf(schema),
      ...(layout !== undefined &&
        sizes !== undefined && { arrays: { layout: layouts.indexOf(layout), sizes } }),
      summary: others,
    }
  }
  /** Files with the same schema, layout and sizes have one object, of which a message takes as long as of one file. */
  const inspectedBySizes = new Map<string, InspectedSummary>()
  const inspectedOf = (schema: number, layout: number, sizes: readonly number[]): InspectedSummary => {
    const key = `${schema} ${layout} ${sizes.join()}`
    const earlier = inspectedBySizes.get(key)
    if (earlier !== undefined) return earlier
    const inspected = { kind: 'summary', schema, arrays: { layout, sizes }, summary: NO_MORE } as const
    inspectedBySizes.set(key, inspected)
    return inspected
  }
  const toInspectedAlike = memoize(({ schema, arrays, segments }: AlikeFiles): InspectedSummary => {
    if (segments !== undefined) return toInspected({ schema, arrays, segments, statistics: {} })
    const { layout, sizes } = arrays
    return inspectedOf(schemas.indexOf(schema), layouts.indexOf(layout), sizes)
  })
  const alikeOf = createAlikeOf(task, bounds, state, context)

  const inspectNext = (file: FileRef, index: number): InspectedFile => {
    const alike = alikeOf(file, index)
    if (alike.kind === 'alike') return toInspectedAlike(alike.files)
    using held = alike.held
    const together = held && { bounds, index, held }
    const inspection = inspectFile(task, file, together, state, context)
    if (inspection.kind !== 'summary') return inspection
    const { whole, ...summary } = inspection.summary
    if (whole !== undefined) bounds.addEntries(index, entriesOf(whole))
    const { surveyed } = inspection
    return { ...toInspected(summary), ...(surveyed && { surveyed }) }
  }

  const files: InspectedFile[] = []
  const until = performance.now() + MOST_MS
  for (const file of task.files) {
    context.checkCancelled()
    files.push(orFailed(() => inspectNext(file, files.length)))
    if (performance.now() >= until) break
  }
  return {
    kind: 'inspected',
    schemas: schemas.all(),
    layouts: layouts.all(),
    files,
    bounds: withMemory(state, context, () => bounds.take(files.length)),
    metrics: context.stopwatch.metrics(),
  }
}

/** What `inspect` returns, or the error of the file. */
function orFailed(inspect: () => InspectedFile): InspectedFile {
  try {
    return inspect()
  } catch (error) {
    if (!isServiceError(error) || error.code === 'cancelled') throw error
    return { kind: 'failed', error: toErrorData(error) }
  }
}

/** What is told of a file that is like others, or its bytes, as far as they are held, for its inspection. */
type AlikeOrHeld =
  | { readonly kind: 'alike'; readonly files: AlikeFiles }
  | { readonly kind: 'other'; readonly held: ReturnType<BoundsTogether['hold']> }

const NOT_HELD: AlikeOrHeld = Object.freeze({ kind: 'other', held: null })

/** Reads small files of arrays, if there are many. The bounds of those that are like others are added. */
function createAlikeOf(
  { format, files, columns, areMany }: InspectTask,
  bounds: BoundsTogether,
  state: WorkerState,
  context: ReadContext,
): (file: FileRef, index: number) => AlikeOrHeld {
  const areHeld = areMany && format.layout === 'grid' && !state.mayBeCompressed(format)
  const alikeOf = areHeld && columns.length === 0 && files.length > 1 ? state.alike(format) : null
  return (file, index) => {
    if (!areHeld || !isSmallFile(file) || file.plain !== undefined) return NOT_HELD
    const held = withMemory(state, context, () => bounds.hold(file))
    const alike = held && alikeOf && withMemory(state, context, () => alikeOf(held, context))
    if (held === null || alike === null) return { kind: 'other', held }
    held[Symbol.dispose]()
    bounds.addPlaces(index, alike.places, held)
    bounds.addEntries(index, alike.computed)
    return { kind: 'alike', files: alike }
  }
}
