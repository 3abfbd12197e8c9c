import { ServiceError } from '../../../plan/errors.ts'
import { type DataType, sameType } from '../../../plan/types/schema.ts'
import type { Column } from '../column.ts'
import type { Instance } from '../instance.ts'
import { typeCode } from '../type-code.ts'
import type { Section, StoredElements } from './section-column.ts'

const NOTHING = new Uint8Array(0)

/** All rows are null. */
const NULLS: StoredElements = Object.freeze({
  type: Object.freeze({ kind: 'null' as const }),
  elements: 1,
  bit: 0,
  validity: null,
  offsets: null,
  values: NOTHING,
  runs: null,
})

const NO_ELEMENTS: StoredElements = Object.freeze({ ...NULLS, elements: 0 })

/**
 * Makes a column of `rows` rows of sections, whose rows follow each other. A section's bytes are copied before the next one is asked for. A value
 * that the column's type does not have becomes null. Throws `unreadable_file` for a section that has fewer elements than its grid needs,
 * and for text that is not UTF-8.
 */
export function makeSectionColumn(
  instance: Instance,
  type: DataType,
  rows: number,
  sections: Iterable<Section>,
): Column {
  const width = widthOf(type)
  let column: number | null = instance.call('section_new', ...typeCode(type), rows)
  /** Where the next values belong. Null: it has to be asked for, as a call of the core may move its memory. */
  let space: Uint8Array | null = null
  /** Elements that were written, and not yet taken. */
  let written = 0

  function take(open: number, { validity, bit, elements }: StoredElements = NO_ELEMENTS): void {
    if (validity !== null) writeRoom(instance, open, [validity])
    if (written + elements > 0)
      instance.call('section_plain', open, written + elements, Number(validity !== null), bit)
    written = 0
    space = null
  }

  /** Adds values that are those of rows as they are. */
  function addPlain(open: number, stored: StoredElements): void {
    const { elements, validity, values } = stored
    if (values.length !== elements * width)
      throw new ServiceError(
        'unreadable_file',
        `an array of ${elements} elements with ${values.length} bytes`,
      )
    if (validity !== null) take(open)
    // Whoever makes the sections may have called the core, whose memory then may have grown: a view of it has no bytes any more.
    if (space === null || space.length === 0) {
      instance.call('section_space', open)
      space = instance.bytes(instance.result(0), instance.result(1))
    }
    const at = written * width
    if (values.length > space.length - at)
      throw new ServiceError('internal', 'more rows of sections than the column has')
    space.set(values, at)
    if (validity === null) written += elements
    else take(open, stored)
  }

  try {
    for (const section of sections) {
      const stored = section.stored ?? NULLS
      if (isPlain(section, stored, type)) addPlain(column, stored)
      else {
        take(column)
        addSection(instance, column, section, stored)
      }
    }
    take(column)
    const finished = column
    column = null
    return instance.call('section_finish', finished) as Column
  } catch (error) {
    if (column !== null && !instance.isDead()) instance.call('section_free', column)
    throw error
  }
}

/** Whether the values are those of the rows as they are, so that they need be copied only once. */
function isPlain({ shape, dimensions }: Section, stored: StoredElements, type: DataType): boolean {
  const { kind } = stored.type
  if (kind !== 'int' && kind !== 'float' && kind !== 'timestamp') return false
  return (
    stored.runs === null &&
    shape.length === dimensions.length &&
    stored.elements === shape.reduce((rows, length) => rows * length, 1) &&
    isDense(shape, dimensions) &&
    sameType(stored.type, type)
  )
}

function isDense(shape: Section['shape'], dimensions: Section['dimensions']): boolean {
  let stride = 1
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const length = shape[axis] ?? 1
    if (length > 1 && dimensions[axis]?.stride !== stride) return false
    stride *= length
  }
  return true
}

function addSection(instance: Instance, column: number, section: Section, stored: StoredElements): void {
  const { shape, dimensions } = section
  const { type, elements, bit, validity, offsets, values, runs } = stored
  const buffers = [validity ?? NOTHING, offsets ?? NOTHING, runs?.ends ?? NOTHING, values]
  writeRoom(instance, column, buffers)
  const lengths = buffers.slice(0, 3).map(({ length }) => length)
  const words = [...typeCode(type), elements, bit, runs?.first ?? 0, ...lengths, shape.length, ...shape]
  for (const { axis, stride } of dimensions) words.push(axis, shape[axis] ?? 0, stride)
  instance.setArguments(new Uint8Array(Uint32Array.from(words).buffer))
  instance.call('section_add', column)
}

/** Writes buffers behind each other to where the core expects them. */
function writeRoom(instance: Instance, column: number, buffers: readonly Uint8Array[]): void {
  const bytes = buffers.reduce((sum, { length }) => sum + length, 0)
  instance.call('section_room', column, bytes)
  const room = instance.bytes(instance.result(0), bytes)
  let at = 0
  for (const buffer of buffers) {
    room.set(buffer, at)
    at += buffer.length
  }
}

/** The bytes of a value of a type of one width. 0: it has none. */
function widthOf(type: DataType): number {
  if (type.kind === 'timestamp') return 8
  return type.kind === 'int' || type.kind === 'float' ? type.bits / 8 : 0
}
