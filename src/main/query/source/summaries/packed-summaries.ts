import type { FileSummary } from '../../../../plan/source/segments.ts'
import type { WholeColumns } from '../../../../plan/source/whole.ts'
import { runInSlices, STEP_ITEMS, type Steps } from '../../../../plan/steps.ts'

/** The summaries of a list of files, as rows of numbers that refer to what they have in common. */
export interface PackedSummaries {
  /** The summaries in their order: the same list as long as somebody has it. */
  summaries(): readonly FileSummary[] | Promise<readonly FileSummary[]>
}

/** A summary without what is known of all values. */
type Shape = Omit<FileSummary, 'whole'>

/** Numbers of a row: its shape, and the buffer, the start and the length of what is known of all values. */
const NUMBERS = 4

/** Packs summaries, and leaves the list with whoever has it. */
export function* packSummaries(packed: readonly FileSummary[]): Steps<PackedSummaries> {
  const numbers = new Uint32Array(NUMBERS * packed.length)
  const shapes = createShapes()
  const buffers: ArrayBufferLike[] = []
  const indexes = new Map<ArrayBufferLike, number>()
  let at = 0
  for (const summary of packed) {
    if (at % (NUMBERS * STEP_ITEMS) === 0) yield
    const { whole } = summary
    numbers[at] = shapes.indexOf(summary)
    if (whole !== undefined) {
      const index = indexes.get(whole.buffer) ?? buffers.push(whole.buffer) - 1
      indexes.set(whole.buffer, index)
      numbers[at + 1] = index
      numbers[at + 2] = whole.byteOffset
      numbers[at + 3] = whole.length
    }
    at += NUMBERS
  }
  return createPacked(packed, numbers, shapes.all, buffers)
}

function createPacked(
  packed: readonly FileSummary[],
  numbers: Uint32Array,
  shapes: readonly Shape[],
  buffers: readonly ArrayBufferLike[],
): PackedSummaries {
  let latest = new WeakRef(packed)

  function wholeAt(at: number): WholeColumns | null {
    const [buffer, length = 0] = [buffers[numbers[at + 1] ?? 0], numbers[at + 3]]
    return buffer === undefined || length === 0 ? null : new Uint8Array(buffer, numbers[at + 2], length)
  }

  function* unpack(): Steps<readonly FileSummary[]> {
    const summaries: FileSummary[] = []
    for (let at = 0; at < numbers.length; at += NUMBERS) {
      if (at % (NUMBERS * STEP_ITEMS) === 0) yield
      const shape = shapes[numbers[at] ?? 0]
      if (shape === undefined) throw new RangeError(`no shape ${numbers[at]}`)
      const whole = wholeAt(at)
      summaries.push(whole === null ? shape : { ...shape, whole })
    }
    latest = new WeakRef(summaries)
    return summaries
  }

  return { summaries: () => latest.deref() ?? runInSlices(unpack()) }
}

function createShapes() {
  const all: Shape[] = []
  /** Shapes by their segments, which files share that have more in common. */
  const bySegments = new Map<FileSummary['segments'], number[]>()
  let last = -1
  return {
    all,
    indexOf(summary: FileSummary): number {
      if (isOf(all[last], summary)) return last
      const indexes = bySegments.get(summary.segments) ?? []
      const earlier = indexes.find((index) => isOf(all[index], summary))
      last = earlier ?? addShape(summary)
      if (earlier === undefined) bySegments.set(summary.segments, [...indexes, last])
      return last
    },
  }

  function addShape({ whole: _, ...shape }: FileSummary): number {
    return all.push(shape) - 1
  }
}

/** Whether a summary has this shape, by identity. */
function isOf(shape: Shape | undefined, summary: FileSummary): boolean {
  return (
    shape !== undefined &&
    shape.schema === summary.schema &&
    shape.segments === summary.segments &&
    shape.statistics === summary.statistics &&
    shape.arrays === summary.arrays &&
    shape.constants === summary.constants &&
    shape.notices === summary.notices &&
    shape.omitted === summary.omitted &&
    shape.unknownNames === summary.unknownNames &&
    shape.documents === summary.documents &&
    shape.compressed === summary.compressed
  )
}
