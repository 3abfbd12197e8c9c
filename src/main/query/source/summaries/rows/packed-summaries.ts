import { getOrMake } from '../../../../../plan/get-or-make.ts'
import { type FileSummary, list, onlySegment } from '../../../../../plan/source/segments.ts'
import { isNothing, type WholeOfFile } from '../../../../../plan/source/whole.ts'
import type { WholeForm, WholeRow } from '../../../../../plan/source/whole-row.ts'
import { runInSlices, STEP_ITEMS, type Steps } from '../../../../../plan/steps.ts'
import { countSizes, segmentAt, sizesOfSegment } from './segment-sizes.ts'

/** The summaries of a list of files, as rows of numbers that refer to what they have in common. */
export interface PackedSummaries {
  /** The summaries in their order: the same list as long as somebody has it. */
  summaries(): readonly FileSummary[] | Promise<readonly FileSummary[]>
}

/** What summaries have in common. */
interface Shape {
  /** Without what is known of all values. If the sizes of the only segment are told by numbers, its segments are those of none. */
  readonly summary: Omit<FileSummary, 'whole'>
  /** How many columns the only segment has. Null: the segments are those of the summary. */
  readonly columns: number | null
}

/** The rows of a list. */
interface Rows {
  /** Of each row its shape, and where what is known of all values lies: among the places, its start, and its length if it is no row. */
  readonly numbers: Uint32Array
  readonly shapes: readonly Shape[]
  readonly places: readonly Place[]
  /** The sizes of the only segments, in the order of the rows. */
  readonly sizes: Uint32Array
}

/** Where what is known of all values of some files lies: rows of a form, or entries. */
type Place = Pick<WholeRow, 'form' | 'view'> | ArrayBufferLike

const NUMBERS = 4

/** In place of the segments that numbers tell. */
const SIZED = list([])

/** With so many shapes of equal schema and segments a summary is compared. Those of files that say something else each have no more in common. */
const MOST_COMPARED = 16

/** Packs summaries, and leaves the list with whoever has it. */
export function* packSummaries(packed: readonly FileSummary[]): Steps<PackedSummaries> {
  const numbers = new Uint32Array(NUMBERS * packed.length)
  const shapes = createShapes()
  const places = createPlaces()
  const sizes: number[] = []
  let at = 0
  for (const summary of packed) {
    if (at % (NUMBERS * STEP_ITEMS) === 0) yield
    const { whole, segments } = summary
    const segment = onlySegment(segments)
    const sizesOfOnly = segment === undefined ? null : sizesOfSegment(segment)
    if (sizesOfOnly !== null) sizes.push(...sizesOfOnly)
    numbers[at] = shapes.indexOf(summary, sizesOfOnly && (segment?.decodedBytes.length ?? 0))
    if (whole !== undefined && !isNothing(whole)) {
      numbers[at + 1] = places.indexOf(whole)
      numbers[at + 2] = whole instanceof Uint8Array ? whole.byteOffset : whole.at
      numbers[at + 3] = whole instanceof Uint8Array ? whole.length : 0
    }
    at += NUMBERS
  }
  return createPacked(packed, {
    numbers,
    shapes: shapes.all,
    places: places.all,
    sizes: Uint32Array.from(sizes),
  })
}

function createPacked(packed: readonly FileSummary[], rows: Rows): PackedSummaries {
  let latest = new WeakRef(packed)

  function* unpack(): Steps<readonly FileSummary[]> {
    const summaries = yield* unpackRows(rows)
    latest = new WeakRef(summaries)
    return summaries
  }

  return { summaries: () => latest.deref() ?? runInSlices(unpack()) }
}

function* unpackRows({ numbers, shapes, places, sizes }: Rows): Steps<readonly FileSummary[]> {
  const summaries: FileSummary[] = []
  let sized = 0
  for (let at = 0; at < numbers.length; at += NUMBERS) {
    if (at % (NUMBERS * STEP_ITEMS) === 0) yield
    const shape = shapes[numbers[at] ?? 0]
    if (shape === undefined) throw new RangeError(`no shape ${numbers[at]}`)
    const { summary, columns } = shape
    const whole = wholeAt(numbers, at, places)
    const segments = columns === null ? summary.segments : list([segmentAt(sizes, sized, columns)])
    if (columns !== null) sized += countSizes(columns)
    summaries.push(
      whole === null
        ? columns === null
          ? summary
          : { ...summary, segments }
        : { ...summary, segments, whole },
    )
  }
  return summaries
}

function wholeAt(numbers: Uint32Array, at: number, places: Rows['places']): WholeOfFile | null {
  const number = numbers[at + 1] ?? 0
  const place = number === 0 ? undefined : places[number - 1]
  if (place === undefined) return null
  const start = numbers[at + 2] ?? 0
  if ('form' in place) return { form: place.form, view: place.view, at: start }
  return new Uint8Array(place, start, numbers[at + 3])
}

/** The places of what is known of files, by which rows refer to them. They count from 1, since nothing is known of some files. */
function createPlaces() {
  const all: Place[] = []
  const ofBuffers = new Map<ArrayBufferLike, number>()
  const ofRows = new Map<DataView, Map<WholeForm, number>>()
  return {
    all,
    indexOf(whole: WholeOfFile): number {
      if (whole instanceof Uint8Array) return getOrMake(ofBuffers, whole.buffer, () => all.push(whole.buffer))
      const { form, view } = whole
      const ofForms = getOrMake(ofRows, view, () => new Map<WholeForm, number>())
      return ofForms.get(form) ?? add(ofForms, { form, view })
    },
  }

  function add(ofForms: Map<WholeForm, number>, rows: Pick<WholeRow, 'form' | 'view'>): number {
    const index = all.push(rows)
    ofForms.set(rows.form, index)
    return index
  }
}

function createShapes() {
  const all: Shape[] = []
  /** Shapes by their schemas, and by their segments, which files share that have more in common. */
  const indexesBySchema = new Map<FileSummary['schema'], Map<FileSummary['segments'], number[]>>()
  let last = -1
  return {
    all,
    /** `columns`: of the only segment, if numbers tell its sizes. */
    indexOf(summary: FileSummary, columns: number | null): number {
      if (isOf(all[last], summary, columns)) return last
      const bySegments = getOrMake(
        indexesBySchema,
        summary.schema,
        () => new Map<FileSummary['segments'], number[]>(),
      )
      const indexes = getOrMake(bySegments, columns === null ? summary.segments : SIZED, () => [])
      const earlier = indexes.slice(-MOST_COMPARED).find((index) => isOf(all[index], summary, columns))
      last = earlier ?? addShape(summary, columns)
      if (earlier === undefined) indexes.push(last)
      return last
    },
  }

  function addShape({ whole: _, ...others }: FileSummary, columns: number | null): number {
    const summary = columns === null ? others : { ...others, segments: SIZED }
    return all.push({ summary, columns }) - 1
  }
}

/** Whether a summary has this shape, by identity. */
function isOf(shape: Shape | undefined, summary: FileSummary, columns: number | null): boolean {
  if (shape === undefined || shape.columns !== columns) return false
  const earlier = shape.summary
  return (
    earlier.schema === summary.schema &&
    (columns !== null || earlier.segments === summary.segments) &&
    earlier.statistics === summary.statistics &&
    earlier.arrays === summary.arrays &&
    earlier.constants === summary.constants &&
    earlier.notices === summary.notices &&
    earlier.omitted === summary.omitted &&
    earlier.unknownNames === summary.unknownNames &&
    earlier.documents === summary.documents &&
    earlier.compressed === summary.compressed
  )
}
