import { textOfNumbers, withListTypes } from '../../../plan/types/attribute-lists.ts'
import type { Field } from '../../../plan/types/schema.ts'
import type { AttributeValue, StoredArray } from './array-file.ts'
import type { Decoding } from './cf/decoding.ts'
import { shortFloat32 } from './structure/attribute-structure.ts'

/** The most characters of an attribute's value and of its name, and of all names and values of a column and of a file. */
const MOST_VALUE = 1024
const MOST_NAME = 256
const MOST_OF_COLUMN = 4096
const MOST_OF_FILE = 1 << 18

/** Attributes that no column has. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  // They are true of stored numbers, or of one file: with these, files that have the same columns would seem to have different ones.
  'add_offset',
  'history',
  'missing_value',
  'scale_factor',
  // They name other variables, which an answer may lack or have under other names (CF, appendix A).
  'ancillary_variables',
  'bounds',
  'cell_measures',
  'climatology',
  'compress',
  'coordinates',
  'formula_terms',
  'geometry',
  'grid_mapping',
  'instance_dimension',
  'interior_ring',
  'node_coordinates',
  'node_count',
  'part_node_count',
  'sample_dimension',
  // A name that objects of JavaScript have.
  '__proto__',
])

/** Attributes that are given in stored numbers. */
const OF_STORED: ReadonlySet<string> = new Set([
  'flag_masks',
  'flag_values',
  'valid_max',
  'valid_min',
  'valid_range',
])

/** Attributes that decoding uses up. */
const OF_TIME: ReadonlySet<string> = new Set(['units', 'calendar'])

/**
 * Gives the columns of one file their metadata, until these have too many characters together. `decoding`: how numbers are decoded;
 * null: they are no numbers.
 */
export function createFieldMetadata(): (array: StoredArray, decoding: Decoding | null) => Field['metadata'] {
  let remaining = MOST_OF_FILE
  return (array, decoding) => {
    const metadata: Record<string, string> = {}
    const lists = new Map<string, NumberType>()
    let room = Math.min(remaining, MOST_OF_COLUMN)
    for (const { name, value: written } of array.attributes) {
      const value = attributeOfValues(name, written, array, decoding)
      const text = value === null ? null : textOfValue(value)
      if (text === null || name.length > MOST_NAME || text.length > MOST_VALUE) continue
      const characters = name.length + text.length
      if (characters > room) continue
      room -= characters
      remaining -= characters
      metadata[name] = text
      if (value?.kind === 'numbers' && value.values.length > 1) lists.set(name, value.element)
    }
    return Object.freeze(withListTypes(metadata, lists))
  }
}

/** An attribute as it is true of the values that the column has. Null: it is not. */
function attributeOfValues(
  name: string,
  value: AttributeValue,
  { element }: StoredArray,
  decoding: Decoding | null,
): AttributeValue | null {
  if (!isOfValues(name, value, decoding)) return null
  const isOther = decoding !== null && OF_STORED.has(name) && decoding.stored !== element
  return isOther ? withSignOf(decoding.stored, value) : value
}

/** Integers with the sign of others of as many bits, as `_Unsigned` has it. Null: they have other bits. */
function withSignOf(stored: NumberType, value: AttributeValue): AttributeValue | null {
  if (value.kind !== 'numbers' || value.element.kind !== 'int' || stored.kind !== 'int') return null
  const { bits, signed } = stored
  if (value.element.bits !== bits) return null
  const wrap = signed ? BigInt.asIntN : BigInt.asUintN
  const values = value.values.map((each) => {
    const wrapped = wrap(bits, BigInt(each))
    return typeof each === 'bigint' ? wrapped : Number(wrapped)
  })
  return { kind: 'numbers', element: stored, values }
}

/** Whether an attribute is one of the values that the column has. */
function isOfValues(name: string, value: AttributeValue, decoding: Decoding | null): boolean {
  // Names that begin with an underscore are reserved for software, and some of those with a colon say how Arrow is read.
  if (name === '' || name.startsWith('_') || LEFT_OUT.has(name)) return false
  if (name.includes(':') && /^(?:arrow|parquet|halocline):/i.test(name)) return false
  if (decoding === null) return true
  const { packing, time } = decoding
  if (time !== null) return value.kind === 'text' && !OF_TIME.has(name)
  return !OF_STORED.has(name) || packing === null
}

type NumberType = Extract<AttributeValue, { kind: 'numbers' }>['element']

/** The text of an attribute that is one text, or finite numbers. Null: it is something else. */
function textOfValue(value: AttributeValue): string | null {
  if (value.kind === 'text') return value.value
  if (value.kind !== 'numbers' || value.values.length === 0 || value.values.length > MOST_VALUE) return null
  const { element, values } = value
  if (values.some((each) => typeof each === 'number' && !Number.isFinite(each))) return null
  const isShort = element.kind === 'float' && element.bits === 32
  return textOfNumbers(
    isShort ? values.map((each) => (typeof each === 'number' ? shortFloat32(each) : each)) : values,
  )
}
