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
  let column: number | null = instance.call('section_new', ...typeCode(type), rows)
  try {
    for (const section of sections) {
      const stored = section.stored ?? NULLS
      if (isPlain(section, stored, type)) addPlain(instance, column, stored)
      else addSection(instance, column, section, stored)
    }
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

function addPlain(instance: Instance, column: number, { elements, bit, validity, values }: StoredElements) {
  if (validity !== null) {
    instance.call('section_room', column, validity.length)
    instance.bytes(instance.result(0), validity.length).set(validity)
  }
  instance.call('section_plain', column, elements, Number(validity !== null), bit)
  if (values.length !== instance.result(1))
    throw new ServiceError('unreadable_file', `an array of ${elements} elements with ${values.length} bytes`)
  instance.bytes(instance.result(0), values.length).set(values)
}

function addSection(instance: Instance, column: number, section: Section, stored: StoredElements): void {
  const { shape, dimensions } = section
  const { type, elements, bit, validity, offsets, values, runs } = stored
  const buffers = [validity ?? NOTHING, offsets ?? NOTHING, runs?.ends ?? NOTHING, values]
  const bytes = buffers.reduce((sum, { length }) => sum + length, 0)
  instance.call('section_room', column, bytes)
  let at = instance.result(0)
  for (const buffer of buffers) {
    instance.bytes(at, buffer.length).set(buffer)
    at += buffer.length
  }
  const lengths = buffers.slice(0, 3).map(({ length }) => length)
  const words = [...typeCode(type), elements, bit, runs?.first ?? 0, ...lengths, shape.length, ...shape]
  for (const { axis, stride } of dimensions) words.push(axis, shape[axis] ?? 0, stride)
  instance.setArguments(new Uint8Array(Uint32Array.from(words).buffer))
  instance.call('section_add', column)
}
